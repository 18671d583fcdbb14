import {
  GetItemCommand,
  type GetItemCommandOutput,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { cancellationOf } from '../attempts/cancellation.js'
import { requestToken } from '../attempts/request-token.js'
import type { ShardedCall } from '../attempts/sharded-call.js'
import type { ItemKey } from '../keys/item-key.js'
import { physicalItemKey } from '../keys/physical-item-key.js'
import type { ShardView } from '../shard-map/shard-view.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'

/** A marked item, and where it goes. */
export interface Move {
  readonly key: ItemKey
  readonly from: number
  readonly to: number
}

/**
 * Takes a marked item to its target: the copy is put there and the marked one deleted in one transaction. If somebody else
 * was first, nothing happens; either way the caller looks again.
 */
export async function finishMove(call: ShardedCall, view: ShardView, move: Move): Promise<void> {
  const { table, tableName: TableName } = call
  const { partitionKey } = table.options
  const Key = physicalItemKey(table, move.key, move.from)
  const read = new GetItemCommand({ TableName, Key, ConsistentRead: true, ...call.capacityAsked })
  const { Item } = await call.send<GetItemCommandOutput>(read, view)
  const mark = Item?.[MOVE_ATTRIBUTES.moving]
  if (Item === undefined || mark === undefined) return
  const { [MOVE_ATTRIBUTES.moving]: _mark, ...kept } = Item
  const copy = {
    ...kept,
    ...physicalItemKey(table, move.key, move.to),
    [MOVE_ATTRIBUTES.moved]: { S: String(move.from) },
  }
  const command = new TransactWriteItemsCommand({
    ClientRequestToken: requestToken(table.random),
    TransactItems: [
      {
        Put: {
          TableName,
          Item: copy,
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': partitionKey },
        },
      },
      {
        Delete: {
          TableName,
          Key,
          ConditionExpression: `${MOVE_ATTRIBUTES.moving} = :mark`,
          ExpressionAttributeValues: { ':mark': mark },
        },
      },
    ],
    ...call.capacityAsked,
  })
  try {
    await call.send<TransactWriteItemsCommandOutput>(command, view)
  } catch (error) {
    const cancellation = cancellationOf(error)
    if (cancellation === undefined) throw error
    if (cancellation.kind === 'failed') throw cancellation.error
    if (cancellation.kind === 'refused') await call.afterRefusal(cancellation.refusal, 1)
  }
}
