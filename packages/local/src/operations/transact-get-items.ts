import { type Projection, project } from '@isotherm/semantics'
import type { StoredItem } from '../storage/ordered-map.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import { decodedInSteps } from '../table/decoded-in-steps.js'
import { decodeGivenKey } from '../validation/decode-item.js'
import {
  EXPRESSION,
  ITEM,
  NAMES,
  RETURN_CONSUMED_CAPACITY,
  TABLE,
  transactionList,
} from '../validation/members.js'
import type { ReturnConsumedCapacity } from './consumed-capacity.js'
import { boundProjection, type ExpressionInput, placeholdersOf } from './expressions.js'
import { defineOperation, tableOf } from './operation.js'
import { getAction } from './transaction-actions.js'
import { transactionCapacity } from './transaction-capacity.js'

interface GetInput extends ExpressionInput {
  readonly TableName: string
  readonly Key: unknown
  readonly ProjectionExpression?: string
}

interface TransactGetItemsInput {
  readonly TransactItems: readonly { readonly Get: GetInput }[]
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export const transactGetItems = defineOperation<TransactGetItemsInput>(
  {
    type: 'structure',
    members: {
      TransactItems: transactionList({
        Get: {
          type: 'structure',
          required: true,
          members: {
            TableName: { ...TABLE, required: true },
            Key: { ...ITEM, required: true },
            ProjectionExpression: EXPRESSION,
            ExpressionAttributeNames: NAMES,
          },
        },
      }),
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
    },
  },
  (input, context) => {
    const decoded = input.TransactItems.map(({ Get }) => decodeGet(Get))
    const actions = decoded.map(({ tableName, key, projection }) =>
      getAction(tableOf(context, tableName), key, projection),
    )
    const read = context.transactions.read(actions)
    const tableNames = decoded.map(({ tableName }) => tableName)
    const answer = () => ({
      Responses: decoded.map(({ projection }, at) => response(read.items[at], projection)),
      ...transactionCapacity(input.ReturnConsumedCapacity, tableNames, read),
    })
    return nowAndOverTurns(decodedInSteps(read.items, answer))
  },
)

/** @throws ServiceError or ValidationError */
function decodeGet(input: GetInput) {
  const { ProjectionExpression } = input
  const placeholders = placeholdersOf(input, { ProjectionExpression })
  const projection = boundProjection(ProjectionExpression, placeholders)
  placeholders.assertAllUsed()
  return { tableName: input.TableName, key: decodeGivenKey(input.Key), projection }
}

function response(stored: StoredItem | undefined, projection: Projection | undefined): object {
  if (stored === undefined) return {}
  if (projection === undefined) return { Item: stored.item }
  const item = project(projection, stored.item)
  // Unlike GetItem, which returns an empty item.
  return Object.keys(item).length === 0 ? {} : { Item: item }
}
