import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import { type Random, randomInteger } from '@isotherm/runtime'
import { concurrently } from '../../bounded/concurrently.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import { readItemKey } from '../../keys/item-key.js'
import { type LogicalKey, plainKey, type SuffixableKey } from '../../keys/key.js'
import { readKey } from '../../keys/read-key.js'
import type { ShardNames } from '../../keys/shard-names.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { isChanging, readableShards, type ShardState } from '../states/shard-state.js'

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

/** A table, before it has a card. */
export interface UnknownTable {
  readonly options: ShardedTable
  readonly client: PhysicalClient
  readonly random: Random
  readonly suffix: ShardNames
}

/** The counts that the options, and the shard map, say of the table's keys. */
export interface DeclaredCounts {
  readonly shards: 'dynamicShards' | 'fixedShards'
  /** The count of a key of which the shard map says nothing. */
  readonly count: number
  /** Reads what the shard map says of a key. Omitted if it says nothing of any key. */
  readonly stateOf?: ((key: LogicalKey) => Promise<ShardState | undefined>) | undefined
}

type Item = NonNullable<ScanCommandOutput['Items']>[number]

/**
 * Reads a sample of the table, and compares where its items are with the options and the shard map. An empty shard map says that each key
 * has the initial count. That may be true, or the shard map was lost. The process that makes the card must know which.
 *
 * A sample of a large table can miss a key. `isotherm shards rebuild` reads the whole table.
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
  let compared = 0
  const check = async (items: readonly Item[] = []) => {
    await requireEach(table, declared, items)
    compared += items.length
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
  if (first.LastEvaluatedKey === undefined) return compared
  let units = first.ConsumedCapacity?.CapacityUnits ?? 0
  const start = segments === SEGMENTS ? 0 : randomInteger(table.random, 0, SEGMENTS - 1)
  const parts = Array.from(
    { length: segments },
    (_, at) => (start + at * Math.floor(SEGMENTS / segments)) % SEGMENTS,
  )
  await concurrently(parts, SEGMENTS_AT_A_TIME, async (Segment) => {
    if (units > MAX_UNITS) return
    const part = { TotalSegments: SEGMENTS, Segment, Limit: itemsOfSegment }
    const { Items, ConsumedCapacity } = await table.client.send(new ScanCommand({ ...input, ...part }))
    units += ConsumedCapacity?.CapacityUnits ?? 0
    await check(Items)
  })
  return compared
}

async function requireEach(
  table: UnknownTable,
  declared: DeclaredCounts,
  items: readonly Item[],
): Promise<void> {
  const { options, suffix } = table
  const { name, partitionKey } = options
  for (const item of items) {
    const stored = readKey(name, partitionKey, item[partitionKey])
    const stripped = suffix.strip(stored)
    if (stripped === undefined) throw withoutSuffix(options, stored)
    const { logical, shard } = stripped
    const itemKey = readItemKey(options, { ...item, [partitionKey]: { ...logical } as Item[string] })
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

function withoutSuffix({ name, delimiter, handMade }: ShardedTable, stored: SuffixableKey) {
  const reason =
    handMade === undefined
      ? `the options say that each stored key ends with ${delimiter} and the number of a shard`
      : `handMade "${handMade.name}" has no shard with that name`
  const cure =
    handMade === undefined
      ? 'If the table had items before it was sharded, set adopt: true. If it was sharded with another delimiter, set that one.'
      : `${CORRECT_SCHEME} If other programs store such items, set checkItems: false.`
  return new IsothermError(
    'items.elsewhere',
    `${name} has an item with the partition key ${shown(stored)}, and ${reason}. The item would not be found. ${cure}`,
    { table: name, storedKey: plainKey(stored as LogicalKey), shard: undefined, shards: undefined },
  )
}

/** A found item, and the shards of its key. */
interface FoundItem {
  readonly stored: SuffixableKey
  readonly logical: LogicalKey
  readonly shard: number
  /** How many shards the shard map says that the key has. */
  readonly readable?: number
}

function elsewhere(table: ShardedTable, declared: DeclaredCounts, found: FoundItem) {
  const { name, handMade } = table
  const { stored, logical, shard, readable = declared.count } = found
  const reason =
    handMade === undefined
      ? reasonOf(table, declared, found)
      : `handMade "${handMade.name}" looks for it in another shard`
  const cure = handMade === undefined ? cureOf(table, declared) : CORRECT_SCHEME
  return new IsothermError(
    'items.elsewhere',
    `${name} has an item with the partition key ${shown(stored)}, shard ${shard} of ${shown(logical)}, and ${reason}. The item would not be found. ${cure}`,
    { table: name, storedKey: plainKey(stored as LogicalKey), shard, shards: readable },
  )
}

const CORRECT_SCHEME = 'Correct the scheme, and compare it with more items with checkHandMade.'

function reasonOf({ shardMap }: ShardedTable, { shards, count }: DeclaredCounts, found: FoundItem): string {
  const { shard, readable = count } = found
  const said =
    shards === 'fixedShards'
      ? `the options say fixedShards(${count})`
      : `the shard map ${shardMap} ${found.readable === undefined ? 'has no item of that key, so it has' : 'says that the key has'} ${readable} ${readable === 1 ? 'shard' : 'shards'}`
  return shard <= readable ? `${said}, which is not the calculated shard` : said
}

function cureOf({ name, suffix, adopt }: ShardedTable, { shards }: DeclaredCounts): string {
  const cures = [
    shards === 'fixedShards'
      ? 'Set the count as it was.'
      : `If the shard map was lost, emptied or restored, or is that of another table, rebuild it with: isotherm shards rebuild --table ${name}. If the table had fixedShards(n), set initial: n.`,
    ...(suffix === 'random'
      ? []
      : ['If the suffix was random, or calculated from other attributes, set that.']),
    ...(adopt ? ['If keys end like that by themselves, choose a delimiter that no key contains.'] : []),
  ]
  return cures.join(' ')
}

function shown(key: SuffixableKey): string {
  return 'S' in key ? JSON.stringify(key.S) : `0x${Buffer.from(key.B).toString('hex')}`
}
