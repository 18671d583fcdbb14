import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type KeysAndAttributes,
} from '@aws-sdk/client-dynamodb'
import { MAX_BATCH_GET_KEYS } from '@isotherm/semantics'
import type { ShardedCall } from '../attempts/sharded-call.js'
import { concurrently } from '../bounded/concurrently.js'
import type { ItemKey } from '../keys/item-key.js'
import { physicalItemKey } from '../keys/physical-item-key.js'
import { readKey } from '../keys/read-key.js'
import type { ShardView } from '../protocol/index.js'

/** An item of the logical key, as it is stored in a shard. */
export interface Copy {
  readonly shard: number
  readonly item: Record<string, AttributeValue>
}

/** What is asked of every shard. The partition key must be among what is projected: it tells the shard. */
export interface CopyRequest {
  readonly key: ItemKey
  readonly how: Pick<
    KeysAndAttributes,
    'ConsistentRead' | 'ProjectionExpression' | 'ExpressionAttributeNames'
  >
}

/** Batches under way at a time: with a hundred keys each, more would be a burst that throttles itself. */
const MAX_CONCURRENT_BATCHES = 4

/** The item from each of the shards that has it, in the order of the shards. */
export async function fetchCopies(
  call: ShardedCall,
  view: ShardView,
  { key, how }: CopyRequest,
  shards: readonly number[],
): Promise<readonly Copy[]> {
  const found = new Map<number, Copy['item']>()
  const batches: (readonly number[])[] = []
  for (let from = 0; from < shards.length; from += MAX_BATCH_GET_KEYS) {
    batches.push(shards.slice(from, from + MAX_BATCH_GET_KEYS))
  }
  await concurrently(batches, MAX_CONCURRENT_BATCHES, async (batch) => {
    const Keys = batch.map((shard) => physicalItemKey(call.table, key, shard))
    for (const item of await fetchBatch(call, view, { ...how, Keys })) found.set(shardOf(call, item), item)
  })
  return shards.flatMap((shard) => {
    const item = found.get(shard)
    return item === undefined ? [] : [{ shard, item }]
  })
}

/** Asks again for what was left unprocessed, which is how a batch says that some of it was throttled. */
async function fetchBatch(
  call: ShardedCall,
  view: ShardView,
  request: KeysAndAttributes,
): Promise<readonly Copy['item'][]> {
  const name = call.tableName
  const items: Copy['item'][] = []
  let remaining = request
  for (;;) {
    const command = new BatchGetItemCommand({ RequestItems: { [name]: remaining }, ...call.capacityAsked })
    const output = await call.read<BatchGetItemCommandOutput>(command, view)
    items.push(...(output.Responses?.[name] ?? []))
    const { Keys = [] } = output.UnprocessedKeys?.[name] ?? {}
    if (Keys.length === 0) return items
    remaining = { ...request, Keys }
    await call.waitForUnprocessed(Keys.length)
  }
}

function shardOf({ table: { options, suffix } }: ShardedCall, item: Copy['item']): number {
  const stored = suffix.strip(readKey(options.name, options.partitionKey, item[options.partitionKey]))
  if (stored === undefined) throw new TypeError(`${options.name} answered with a key that was not asked for.`)
  return stored.shard
}
