import {
  GetItemCommand,
  type GetItemCommandOutput,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { cancellationOf } from '../attempts/cancellation.js'
import { requestToken } from '../attempts/request-token.js'
import { ShardedCall } from '../attempts/sharded-call.js'
import type { ItemKey } from '../keys/item-key.js'
import { physicalItemKey } from '../keys/physical-item-key.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'

/** A marked item that somebody met. */
export interface MetMark {
  readonly key: ItemKey
  /** The shard where the marked copy was met. */
  readonly source: number
  readonly signal: AbortSignal | undefined
}

/** `<target shard>:<number>` */
const MARK = /^([1-9]\d{0,3}):\d+$/
const ANY_TIME = { validUntil: Number.POSITIVE_INFINITY }

/**
 * Takes a marked item to its target, which the mark tells: the copy is put there and the marked one deleted in one
 * transaction. If somebody else was first, nothing happens; either way the caller looks again.
 */
export async function finishMove(table: TableRuntime, { key, source, signal }: MetMark): Promise<void> {
  const { name: TableName, partitionKey } = table.options
  const options = signal === undefined ? undefined : { abortSignal: signal }
  const call = new ShardedCall(table, { options, carryMiddleware: () => {} }, { TableName })
  const Key = physicalItemKey(table, key, source)
  const read = new GetItemCommand({ TableName, Key, ConsistentRead: true })
  const { Item } = await call.send<GetItemCommandOutput>(read, ANY_TIME)
  const mark = Item?.[MOVE_ATTRIBUTES.moving]
  const target = MARK.exec(mark?.S ?? '')?.[1]
  if (Item === undefined || mark === undefined || target === undefined) return
  const { [MOVE_ATTRIBUTES.moving]: _mark, ...content } = Item
  const Put = {
    TableName,
    Item: {
      ...content,
      ...physicalItemKey(table, key, Number(target)),
      [MOVE_ATTRIBUTES.moved]: { S: `${source}:${mark.S}` },
    },
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': partitionKey },
  }
  const Delete = {
    TableName,
    Key,
    ConditionExpression: `${MOVE_ATTRIBUTES.moving} = :mark`,
    ExpressionAttributeValues: { ':mark': mark },
  }
  const ClientRequestToken = requestToken(table.random)
  try {
    await call.send(
      new TransactWriteItemsCommand({ ClientRequestToken, TransactItems: [{ Put }, { Delete }] }),
      ANY_TIME,
    )
  } catch (error) {
    const cancellation = cancellationOf(error)
    if (cancellation === undefined) throw error
    if (cancellation.kind === 'failed') throw cancellation.error
    if (cancellation.kind === 'refused') await call.afterRefusal(cancellation.refusal, 1)
  }
}
