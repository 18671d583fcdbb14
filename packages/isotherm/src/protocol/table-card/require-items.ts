import { ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb'
import { type Random, randomInteger } from '@isotherm/runtime'
import { concurrently } from '../../bounded/concurrently.js'
import { readItemKey } from '../../keys/item-key.js'
import { readKey } from '../../keys/read-key.js'
import { isChanging, readableShards } from '../states/shard-state.js'
import { elsewhere, withoutSuffix } from './item-elsewhere.js'
import { requireUnusedKeys } from './require-unused-keys.js'
import type { DeclaredCounts, SampledItem, UnknownTable } from './unknown-table.js'

/** How many items are compared. */
export interface Sample {
  /** A table with this many items or fewer is read as a whole. For an empty table this is the only request. */
  readonly firstItems: number
  /** Of a larger table, the first items of each of so many equal parts of the hash space, which are chosen at random. */
  readonly segments: number
  readonly itemsOfSegment: number
}

/** The hash space has so many parts. */
const SEGMENTS = 24
const SEGMENTS_AT_A_TIME = 4

/** For the process that makes the card, once for the table. */
const LARGE_SAMPLE: Sample = { firstItems: 100, segments: SEGMENTS, itemsOfSegment: 20 }

/** For each process of a table without a card. */
export const SMALL_SAMPLE: Sample = { firstItems: 25, segments: 3, itemsOfSegment: 5 }

/** No further page is read after so many read units, because items may be large. */
const MAX_UNITS = 256

/**
 * Reads a sample of the table, and compares where its items are with the options and the shard map. An empty shard map says that each key
 * has the initial count. That may be true, or the shard map was lost. The process that makes the card must know which.
 *
 * Beside the sample, it queries stored keys that the options leave unused. A sample of a large table can still miss a key.
 * `isotherm shards rebuild` reads the whole table.
 *
 * @returns the number of items that were compared
 * @throws IsothermError `items.elsewhere` for the first item that these options cannot have stored; the SDK's errors
 */
export async function requireItems(
  table: UnknownTable,
  declared: DeclaredCounts,
  { firstItems, segments, itemsOfSegment }: Sample = LARGE_SAMPLE,
): Promise<number> {
  const { name, partitionKey, sortKey } = table.options
  const compared: SampledItem[] = []
  const check = async (items: readonly SampledItem[] = []) => {
    await requireEach(table, declared, items)
    compared.push(...items)
  }
  const input: ScanCommandInput = {
    TableName: name,
    ProjectionExpression: sortKey === undefined ? '#first' : '#first, #second',
    ExpressionAttributeNames: {
      '#first': partitionKey,
      ...(sortKey === undefined ? {} : { '#second': sortKey }),
    },
    ReturnConsumedCapacity: 'TOTAL',
  }
  const first = await table.client.send(new ScanCommand({ ...input, Limit: firstItems }))
  await check(first.Items)
  const isLarge = first.LastEvaluatedKey !== undefined
  if (isLarge) {
    const parts = partsOf(table.random, segments)
    let units = first.ConsumedCapacity?.CapacityUnits ?? 0
    await concurrently(parts, SEGMENTS_AT_A_TIME, async (Segment) => {
      if (units > MAX_UNITS) return
      const part = { TotalSegments: SEGMENTS, Segment, Limit: itemsOfSegment }
      const { Items, ConsumedCapacity } = await table.client.send(new ScanCommand({ ...input, ...part }))
      units += ConsumedCapacity?.CapacityUnits ?? 0
      await check(Items)
    })
  }
  // The items of a small table were all compared. With `adopt`, they may fit one by one, and not together.
  if (isLarge || table.options.adopt) {
    await requireUnusedKeys(table, declared, {
      sampled: compared,
      check: (items) => requireEach(table, declared, items),
    })
  }
  return compared.length
}

/** Parts of the hash space at equal distances. */
function partsOf(random: Random, segments: number): readonly number[] {
  const start = segments === SEGMENTS ? 0 : randomInteger(random, 0, SEGMENTS - 1)
  const distance = Math.floor(SEGMENTS / segments)
  return Array.from({ length: segments }, (_, at) => (start + at * distance) % SEGMENTS)
}

async function requireEach(
  table: UnknownTable,
  declared: DeclaredCounts,
  items: readonly SampledItem[],
): Promise<void> {
  const { options, suffix } = table
  const { name, partitionKey } = options
  for (const item of items) {
    const stored = readKey(name, partitionKey, item[partitionKey])
    const stripped = suffix.strip(stored)
    if (stripped === undefined) throw withoutSuffix(options, stored)
    const { logical, shard } = stripped
    const itemKey = readItemKey(options, { ...item, [partitionKey]: { ...logical } as SampledItem[string] })
    const placeOf = typeof options.suffix === 'string' ? undefined : options.suffix.placeOf
    const fits = (counts: readonly number[], readable: number) =>
      shard <= readable &&
      (placeOf === undefined || counts.some((count) => placeOf(options, itemKey, count) === shard))
    if (fits([declared.count], declared.count)) continue
    // Requests for a key that is not accepted are rejected, so the shard map has no item of it.
    const state = suffix.accepts(logical) ? await declared.stateOf?.(logical) : undefined
    if (state === undefined) throw elsewhere(options, declared, { stored, logical, shard })
    const counts = isChanging(state) ? [state.from, state.to] : [state.shards]
    if (!fits(counts, readableShards(state))) {
      throw elsewhere(options, declared, { stored, logical, shard, readable: readableShards(state) })
    }
  }
}
