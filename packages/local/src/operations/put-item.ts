import { itemBytes } from '@isotherm/semantics'
import type { Awaitable, StoredItem } from '../storage/storage.js'
import type { Table } from '../table/table.js'
import { decodeItem } from '../validation/decode-item.js'
import { checkIndexKey, checkItemKey, checkItemSize } from '../validation/key-checks.js'
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
import { validationException } from '../wire/service-error.js'
import { checkCondition } from './condition-check.js'
import { consumedCapacity, type ReturnConsumedCapacity } from './consumed-capacity.js'
import { boundCondition, type ExpressionInput, placeholdersOf } from './expressions.js'
import { defineOperation, tableOf } from './operation.js'

interface PutItemInput extends ExpressionInput {
  readonly TableName: string
  readonly Item: unknown
  readonly ConditionExpression?: string
  readonly ReturnValues?: string
  readonly ReturnValuesOnConditionCheckFailure?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

/** What PutItem and DeleteItem may return. */
export const RETURN_VALUES = {
  type: 'string',
  oneOf: ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'],
} as const

export const putItem = defineOperation<PutItemInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE_NAME, required: true },
      Item: { ...ITEM, required: true },
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
    const item = decodeItem(input.Item)
    const table = tableOf(context, input.TableName)
    const after = storedItem(table, item)
    const key = table.encodeKey(item)
    const write = { key, before: table.peek(key), after }
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

/** @throws ServiceError for what only an update can return. */
export function checkReturnsOld(returnValues: string | undefined): void {
  if (returnValues === undefined || returnValues === 'NONE' || returnValues === 'ALL_OLD') return
  throw validationException('Return values set to invalid value')
}

/** An item, checked against the table that shall hold it. @throws ServiceError */
export function storedItem(
  table: Table,
  item: StoredItem['item'],
  operation: 'put' | 'update' = 'put',
): StoredItem {
  checkItemKey(table.definition.schema, item)
  for (const index of table.definition.indexes) checkIndexKey(index, item)
  const bytes = itemBytes(item)
  checkItemSize(bytes, operation)
  return { item, bytes }
}
