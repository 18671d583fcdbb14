import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type KeysAndAttributes,
} from '@aws-sdk/client-dynamodb'
import { type Item, itemBytes, MAX_BATCH_GET_KEYS, readUnits } from '@isotherm/semantics'
import type { ItemCall } from '../attempts/item-call.js'
import { type Answered, answered, STALE, type Stale } from '../attempts/outcome.js'
import type { SendingTable } from '../attempts/sending-table.js'
import { concurrently } from '../bounded/concurrently.js'
import type { ItemKey } from '../keys/item-key.js'
import { physicalItemKey } from '../keys/physical-item-key.js'
import { readKey } from '../keys/read-key.js'
import type { ShardView } from '../protocol/index.js'
import type { ReadTable } from '../scaling/read-heat.js'
import { SensedRead } from '../scaling/sensed-read.js'

type ReadCall = ItemCall<SendingTable & ReadTable>

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
  call: ReadCall,
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
    const sensed = new SensedRead(call.table.readHeat, key.logical, batch[0] ?? 1)
    const fetched = await fetchBatch(call, view, { ...how, Keys }, sensed)
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
  call: ReadCall,
  view: ShardView,
  request: KeysAndAttributes,
  sensed: SensedRead,
): Promise<Answered<readonly Copy['item'][]> | Stale> {
  const name = call.tableName
  const items: Copy['item'][] = []
  let remaining = request
  for (;;) {
    const command = new BatchGetItemCommand({ RequestItems: { [name]: remaining }, ...call.capacityAsked })
    const asked = remaining.Keys ?? []
    const outcome = await call.read<BatchGetItemCommandOutput>(command, view, async (reasons) => {
      sensed.throttled(reasons, { shards: asked.length, shard: firstShard(call, asked) })
      return undefined
    })
    if (outcome.kind === 'stale') return outcome
    const { Responses, UnprocessedKeys } = outcome.output
    // Of one table, whose name there may be instead of the ARN in the request.
    items.push(...Object.values(Responses ?? {}).flat())
    const Keys = Object.values(UnprocessedKeys ?? {}).flatMap((left) => left.Keys ?? [])
    if (Keys.length === 0) {
      sensed.answered(unitsOf(items, request), request.Keys?.length)
      return answered(items)
    }
    sensed.throttled([], { shards: Keys.length, shard: firstShard(call, Keys) })
    remaining = { ...request, Keys }
    await call.waitForUnprocessed(Keys.length)
  }
}

/** The units of the reads of all shards. A shard without the item costs as much as the smallest one. */
function unitsOf(items: readonly Copy['item'][], { Keys = [], ConsistentRead }: KeysAndAttributes): number {
  const consistency = ConsistentRead === true ? 'strong' : 'eventual'
  let units = (Keys.length - items.length) * readUnits(0, consistency)
  for (const item of items) units += readUnits(itemBytes(item as unknown as Item), consistency)
  return units
}

function firstShard(call: ReadCall, keys: readonly Copy['item'][]): number {
  return Math.min(...keys.map((key) => shardOf(call, key)))
}

function shardOf({ table: { options, suffix } }: ReadCall, item: Copy['item']): number {
  const stored = suffix.strip(readKey(options.name, options.partitionKey, item[options.partitionKey]))
  if (stored === undefined) throw new TypeError(`${options.name} answered with a key that was not asked for.`)
  return stored.shard
}
