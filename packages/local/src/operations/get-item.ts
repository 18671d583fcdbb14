import { project } from '@isotherm/semantics'
import { decodeItem } from '../validation/decode-item.js'
import { checkKey } from '../validation/key-checks.js'
import { EXPRESSION, ITEM, NAMES, RETURN_CONSUMED_CAPACITY, TABLE_NAME } from '../validation/members.js'
import { consumedRead, type ReturnConsumedCapacity } from './consumed-capacity.js'
import { boundProjection, type ExpressionInput, placeholdersOf } from './expressions.js'
import { defineOperation, tableOf } from './operation.js'

interface GetItemInput extends ExpressionInput {
  readonly TableName: string
  readonly Key: unknown
  readonly ConsistentRead?: boolean
  readonly ProjectionExpression?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export const getItem = defineOperation<GetItemInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE_NAME, required: true },
      Key: { ...ITEM, required: true },
      ConsistentRead: { type: 'boolean' },
      ProjectionExpression: EXPRESSION,
      ExpressionAttributeNames: NAMES,
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
    },
    unsupported: ['AttributesToGet'],
  },
  (input, context) => {
    const { ProjectionExpression } = input
    const placeholders = placeholdersOf(input, { ProjectionExpression })
    const projection = boundProjection(ProjectionExpression, placeholders)
    placeholders.assertAllUsed()
    const key = decodeItem(input.Key)
    const table = tableOf(context, input.TableName)
    checkKey(table.definition.schema, key)
    const { stored, units } = table.getItem(
      table.encodeKey(key),
      input.ConsistentRead ? 'strong' : 'eventual',
    )
    const item =
      stored === undefined || projection === undefined ? stored?.item : project(projection, stored.item)
    return {
      ...(item === undefined ? {} : { Item: item }),
      ...consumedRead(table, input.ReturnConsumedCapacity, units),
    }
  },
)
