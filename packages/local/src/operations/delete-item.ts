import type { Awaitable } from '../storage/storage.js'
import { decodeItem } from '../validation/decode-item.js'
import { checkKey } from '../validation/key-checks.js'
import {
  EXPRESSION,
  ITEM,
  LEGACY_WRITE,
  NAMES,
  RETURN_COLLECTION_METRICS,
  RETURN_CONSUMED_CAPACITY,
  RETURN_ON_FAILURE,
  TABLE_NAME,
} from '../validation/members.js'
import { checkCondition } from './condition-check.js'
import { consumedCapacity, type ReturnConsumedCapacity } from './consumed-capacity.js'
import { boundCondition, type ExpressionInput, placeholdersOf } from './expressions.js'
import { defineOperation, tableOf } from './operation.js'
import { checkReturnsOld, RETURN_VALUES } from './put-item.js'

interface DeleteItemInput extends ExpressionInput {
  readonly TableName: string
  readonly Key: unknown
  readonly ConditionExpression?: string
  readonly ReturnValues?: string
  readonly ReturnValuesOnConditionCheckFailure?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export const deleteItem = defineOperation<DeleteItemInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE_NAME, required: true },
      Key: { ...ITEM, required: true },
      ConditionExpression: EXPRESSION,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: ITEM,
      ReturnValues: RETURN_VALUES,
      ReturnValuesOnConditionCheckFailure: RETURN_ON_FAILURE,
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
      ReturnItemCollectionMetrics: RETURN_COLLECTION_METRICS,
    },
    unsupported: LEGACY_WRITE,
  },
  (input, context): Awaitable<object> => {
    checkReturnsOld(input.ReturnValues)
    const { ConditionExpression } = input
    const placeholders = placeholdersOf(input, { ConditionExpression })
    const condition = boundCondition('ConditionExpression', ConditionExpression, placeholders)
    placeholders.assertAllUsed()
    const keyItem = decodeItem(input.Key)
    const table = tableOf(context, input.TableName)
    checkKey(table.definition.schema, keyItem)
    const key = table.encodeKey(keyItem)
    const write = { key, before: table.peek(key), after: undefined }
    checkCondition(table, write, condition, input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD')
    const units = table.write(write)
    const respond = (used: Awaited<typeof units>) => ({
      ...(input.ReturnValues === 'ALL_OLD' && write.before !== undefined
        ? { Attributes: write.before.item }
        : {}),
      ...consumedCapacity(table, input.ReturnConsumedCapacity, used),
    })
    return units instanceof Promise ? units.then(respond) : respond(units)
  },
)
