import { type Item, project } from '@isotherm/semantics'
import { ATTRIBUTES_TO_GET } from '../legacy/attributes-to-get.js'
import { checkUnmixed } from '../legacy/unmixed.js'
import { tableUnits } from '../table/item-write.js'
import { decodeGivenKey } from '../validation/decode-item.js'
import { checkKey } from '../validation/key-checks.js'
import { checkProjectionPaths } from '../validation/key-paths.js'
import { EXPRESSION, ITEM, NAMES, RETURN_CONSUMED_CAPACITY, TABLE } from '../validation/members.js'
import { AnsweredItem } from './answered-items.js'
import { type ConsumedCapacity, consumedCapacity, type ReturnConsumedCapacity } from './consumed-capacity.js'
import { defineOperation, tableOf } from './operation.js'
import { onlyProjection, type ProjectionInput } from './projection-request.js'

interface GetItemInput extends ProjectionInput {
  readonly TableName: string
  readonly Key: unknown
  readonly ConsistentRead?: boolean
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

interface GetItemOutput {
  Item?: AnsweredItem | Item
  ConsumedCapacity?: ConsumedCapacity
}

export const getItem = defineOperation<GetItemInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE, required: true },
      Key: { ...ITEM, required: true },
      ConsistentRead: { type: 'boolean' },
      ProjectionExpression: EXPRESSION,
      ExpressionAttributeNames: NAMES,
      AttributesToGet: ATTRIBUTES_TO_GET,
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
    },
  },
  (input, context) => {
    checkUnmixed(input, ['AttributesToGet'], ['ProjectionExpression'])
    const key = decodeGivenKey(input.Key)
    const projection = onlyProjection(input)
    const table = tableOf(context, input.TableName)
    checkKey(table.definition.schema, key)
    checkProjectionPaths(table, projection)
    const { stored, units } = table.getItem(
      table.encodeKey(key),
      input.ConsistentRead ? 'strong' : 'eventual',
    )
    const response: GetItemOutput = {}
    if (stored !== undefined) {
      response.Item = projection === undefined ? new AnsweredItem(stored) : project(projection, stored.item)
    }
    const { ConsumedCapacity } = consumedCapacity(
      input.TableName,
      input.ReturnConsumedCapacity,
      tableUnits(units),
    )
    if (ConsumedCapacity !== undefined) response.ConsumedCapacity = ConsumedCapacity
    return response
  },
)
