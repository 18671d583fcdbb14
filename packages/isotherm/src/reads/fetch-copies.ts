import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type KeysAndAttributes,
} from '@aws-sdk/client-dynamodb'
import { MAX_BATCH_GET_KEYS } from '@isotherm/semantics'
import type { ItemCall } from '../attempts/item-call.js'
import { type Answered, answered, STALE, type Stale } from '../attempts/outcome.js'
import { concurrently } from '../bounded/concurrently.js'
import type { ItemKey } from '../keys/item-key.js'
import { physicalItemKey } from '../keys/physical-item-key.js'
import { readKey } from '../keys/read-key.js'
import type { ShardView } from '../protocol/index.js'

/** An item of the logical key, as stored in a shard. */
export interface Copy {
  readonly shard: number
  readonly item: Record<string, AttributeValue>
}

/** The request for every shard. Its projection must include the partition key, which identifies the shard. */
export interface CopyRequest {
  readonly key: ItemKey
  readonly how: Pick<
    KeysAndAttributes,
    'ConsistentRead' | 'ProjectionExpression' | 'ExpressionAttributeNames'
  >
}

/** The number of concurrent batches. With a hundred keys each, more would be a burst that throttles itself. */
const MAX_CONCURRENT_BATCHES = 4

/** The item from each of the shards that has it, in the order of the shards. @throws the SDK's own errors */
export async function fetchCopies(
  call: ItemCall,
  view: ShardView,
  { key, how }: CopyRequest,
  shards: readonly number[],
): Promise<Answered<readonly Copy[]> | Stale> {
  const found = new Map<number, Copy['item']>()
  const batches: (readonly number[])[] = []
  for (let from = 0; from < shards.length; from += MAX_BATCH_GET_KEYS) {
    batches.push(shards.slice(from, from + MAX_BATCH_GET_KEYS))
  }
  let isStale = false
  await concurrently(batches, MAX_CONCURRENT_BATCHES, async (batch) => {
    const Keys = batch.map((shard) => physicalItemKey(call.table, key, shard))
    const fetched = await fetchBatch(call, view, { ...how, Keys })
    if (fetched.kind === 'stale') isStale = true
    else for (const item of fetched.output) found.set(shardOf(call, item), item)
  })
  if (isStale) return STALE
  const copies = shards.flatMap((shard) => {
    const item = found.get(shard)
    return item === undefined ? [] : [{ shard, item }]
  })
  return answered(copies)
}

/** Retries unprocessed keys, because throttled members of a batch are returned as unprocessed. */
async function fetchBatch(
  call: ItemCall,
  view: ShardView,
  request: KeysAndAttributes,
): Promise<Answered<readonly Copy['item'][]> | Stale> {
  const name = call.tableName
  const items: Copy['item'][] = []
  let remaining = request
  for (;;) {
    const command = new BatchGetItemCommand({ RequestItems: { [name]: remaining }, ...call.capacityAsked })
    const outcome = await call.read<BatchGetItemCommandOutput>(command, view)
    if (outcome.kind === 'stale') return outcome
    const { Responses, UnprocessedKeys } = outcome.output
    items.push(...(Responses?.[name] ?? []))
    const { Keys = [] } = UnprocessedKeys?.[name] ?? {}
    if (Keys.length === 0) return answered(items)
    remaining = { ...request, Keys }
    await call.waitForUnprocessed(Keys.length)
  }
}

function shardOf({ table: { options, suffix } }: ItemCall, item: Copy['item']): number {
  const stored = suffix.strip(readKey(options.name, options.partitionKey, item[options.partitionKey]))
  if (stored === undefined) throw new TypeError(`${options.name} answered with a key that was not asked for.`)
  return stored.shard
}
