import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type KeysAndAttributes,
  type ReturnConsumedCapacity,
} from '@aws-sdk/client-dynamodb'
import { MAX_BATCH_GET_KEYS } from '@isotherm/semantics'
import { concurrently } from '../bounded/concurrently.js'
import { itemName } from '../keys/item-name.js'
import type { CapacityByTable } from '../sdk/consumed-capacity.js'
import type { LowLevelRequest } from '../sdk/low-level-request.js'
import type { PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { tableNameOf } from '../sdk/tables-by-name.js'
import { throttleOf } from '../sdk/throttle.js'
import { senseThrottles } from './sense-throttles.js'
import type { SummedMetadata } from './summed-metadata.js'

export type Key = Record<string, AttributeValue>

/** The parameters of the reads from one table. They are the same for all of its keys in one request. */
export interface ReadSource {
  /** The table's name or ARN, as the application passed it. */
  readonly tableName: string
  readonly parameters: Omit<KeysAndAttributes, 'Keys'>
  found(item: Key): void
}

/** Follows the reads of one item for the heat of its key. */
interface ReadSense {
  throttled(reasons: readonly string[], part: { readonly shards: number }): void
}

/** One item to read. */
export interface PlacedRead {
  readonly source: ReadSource
  readonly key: Key
  /** One for all places of an item; `undefined` for unsharded tables. */
  readonly sensed?: ReadSense
}

/** Maximum number of concurrent requests. An unsharded batch is one request, and a client has 50 sockets. */
const REQUESTS_AT_A_TIME = 8

/** The values that all requests of one batch share. */
export interface ReadTogether {
  readonly client: PhysicalClient
  readonly request: Pick<LowLevelRequest, 'carryMiddleware'>
  readonly options: SendOptions | undefined
  readonly returnConsumedCapacity: ReturnConsumedCapacity | undefined
  readonly metadata: SummedMetadata
  readonly capacity: CapacityByTable
}

/**
 * Reads any number of items in as few requests as possible, and passes each item to its source.
 *
 * @returns the reads that the service left unprocessed
 * @throws the throttling error of the service if every read was throttled, as the service does for one batch
 */
export async function readMany(
  reads: readonly PlacedRead[],
  together: ReadTogether,
): Promise<readonly PlacedRead[]> {
  const left: PlacedRead[] = []
  let throttled: unknown
  const work = async (batch: readonly PlacedRead[]) => {
    try {
      left.push(...(await readBatch(batch, together)))
    } catch (error) {
      if (throttleOf(error) === undefined) throw error
      throttled = error
      left.push(...batch)
    }
  }
  await concurrently(batchesOf(reads), REQUESTS_AT_A_TIME, work)
  if (throttled !== undefined && left.length === reads.length) throw throttled
  return left
}

async function readBatch(
  batch: readonly PlacedRead[],
  { client, request, options, returnConsumedCapacity, metadata, capacity }: ReadTogether,
): Promise<readonly PlacedRead[]> {
  // Keyed by name, because the response to a request by ARN may contain the name or the ARN.
  const sources = new Map<string | undefined, ReadSource>()
  const requestItems = new Map<string, KeysAndAttributes>()
  for (const { source, key } of batch) {
    sources.set(tableNameOf(source.tableName), source)
    const asked = requestItems.get(source.tableName) ?? { ...source.parameters, Keys: [] }
    asked.Keys?.push(key)
    requestItems.set(source.tableName, asked)
  }
  const command = new BatchGetItemCommand({
    RequestItems: Object.fromEntries(requestItems),
    ...(returnConsumedCapacity === undefined ? {} : { ReturnConsumedCapacity: returnConsumedCapacity }),
  })
  request.carryMiddleware(command)
  if (batch.some(({ sensed }) => sensed !== undefined)) {
    senseThrottles(command, (reasons) => tell(batch, reasons))
  }
  const output: BatchGetItemCommandOutput = await client.send(command, options)
  metadata.add(output.$metadata)
  capacity.add(output.ConsumedCapacity)
  for (const [tableName, items] of Object.entries(output.Responses ?? {})) {
    for (const item of items) sources.get(tableNameOf(tableName))?.found(item)
  }
  const unprocessed = Object.entries(output.UnprocessedKeys ?? {}).flatMap(([tableName, { Keys = [] }]) => {
    const source = sources.get(tableNameOf(tableName))
    return source === undefined ? [] : Keys.map((key) => readOf(batch, source, key))
  })
  // The service gives no reason for what it leaves out.
  tell(unprocessed, [])
  // mark: unprocessed-read-is-no-answer
  return unprocessed
}

/** The read of the batch that a key of the response belongs to. */
function readOf(batch: readonly PlacedRead[], source: ReadSource, key: Key): PlacedRead {
  const names = Object.keys(key)
  const name = itemName(names, key)
  const asked = batch.find((read) => read.source === source && itemName(names, read.key) === name)
  return asked ?? { source, key }
}

/** Records a throttle of every read of a batch, once for each item. */
function tell(batch: readonly PlacedRead[], reasons: readonly string[]): void {
  const shards = new Map<ReadSense, number>()
  for (const { sensed } of batch) {
    if (sensed !== undefined) shards.set(sensed, (shards.get(sensed) ?? 0) + 1)
  }
  for (const [sensed, count] of shards) sensed.throttled(reasons, { shards: count })
}

/**
 * Groups reads into requests. Reads of one table with different parameters cannot share a request. Nor can reads by its name and by its
 * ARN, because the items of the response could belong to either.
 */
function batchesOf(reads: readonly PlacedRead[]): readonly (readonly PlacedRead[])[] {
  const lanes: {
    readonly sources: Map<string | undefined, ReadSource>
    readonly batches: PlacedRead[][]
  }[] = []
  for (const read of reads) {
    const { source } = read
    const name = tableNameOf(source.tableName)
    const fits = (lane: (typeof lanes)[number]) => (lane.sources.get(name) ?? source) === source
    let lane = lanes.find(fits)
    if (lane === undefined) {
      lane = { sources: new Map(), batches: [] }
      lanes.push(lane)
    }
    lane.sources.set(name, source)
    const last = lane.batches.at(-1)
    if (last !== undefined && last.length < MAX_BATCH_GET_KEYS) last.push(read)
    else lane.batches.push([read])
  }
  return lanes.flatMap(({ batches }) => batches)
}
