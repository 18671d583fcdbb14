import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { KeyValue } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import { MAX_SHARDS } from '../options/shard-limits.js'
import type { ShardView } from '../protocol/index.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import type { IndexCounts, TableIndexCounts } from './index-counts.js'
import type { KnownIndex, ShardedIndex } from './index-options.js'
import { ShadowKey } from './shadow-key.js'
import type { TableWithIndexes } from './table-with-indexes.js'

/** So many entries show another delimiter, and are all that a small index has. */
const SAMPLED_ENTRIES = 25

/** With more values than this, one of those that were compared has entries in all of its shards. */
const MAX_VALUES = 8

/** An empty index says nothing. Processes with other options may fill it from now on, so it is looked at again. */
const EMPTY_MILLISECONDS = 60_000
/** Processes with other options may be deployed beside this one. */
const AGAIN_MILLISECONDS = 300_000

/** A table whose indexes are compared with its options. */
export interface CheckedTable {
  readonly options: TableWithIndexes['options']
  readonly client: PhysicalClient
  readonly clock: Clock
}

/** Compares the options of an index with its entries, before the first query of a value. */
export type IndexCheck = (value: KeyValue, view: ShardView) => Promise<void> | undefined

/**
 * Compares the options of an index with its entries: a sample of them, and for each of the first values that are queried whether the
 * shard after its last one is empty. Had the index had more shards, that shard would have some of the entries. An index that is still
 * empty is looked at again after a minute, and every index after five minutes. What cannot be read is believed.
 *
 * @param counts the counts of the values, if they change
 * @returns a function that answers `undefined` if there is nothing left to compare
 * @throws IsothermError `items.elsewhere`
 */
function indexCheck(table: CheckedTable, index: ShardedIndex, counts: IndexCounts | undefined): IndexCheck {
  const shadow = new ShadowKey(table.options, index)
  const checked = new Set<string>()
  let isSampled = false
  let due = 0
  let again = table.clock.now() + AGAIN_MILLISECONDS
  const compare = async (value: KeyValue, view: ShardView, name: string) => {
    const [sampled] = await Promise.all([
      isSampled ? undefined : unlessUnreadable(() => requireNames(table, shadow)),
      unlessUnreadable(() => requireEmpty(table, shadow, counts, { value, shard: view.readable + 1 })),
    ])
    if (sampled === 0) due = table.clock.now() + EMPTY_MILLISECONDS
    else {
      isSampled = true
      checked.add(name)
    }
  }
  return (value, view) => {
    const now = table.clock.now()
    if (now >= again) {
      again = now + AGAIN_MILLISECONDS
      isSampled = false
      checked.clear()
    }
    if (checked.size >= MAX_VALUES || now < due) return undefined
    const name = JSON.stringify(shadow.attributes(value, 1))
    return checked.has(name) ? undefined : compare(value, view, name)
  }
}

/** The checks of all sharded indexes of a table, by their names; none if its items are not compared. */
export function openIndexChecks(
  table: CheckedTable,
  indexes: ReadonlyMap<string, KnownIndex>,
  indexCounts: TableIndexCounts,
): ReadonlyMap<string, IndexCheck> {
  const sharded = [...indexes.values()].filter((index) => index.kind === 'sharded')
  if (!table.options.checkItems) return new Map()
  return new Map(
    sharded.map((index) => [index.name, indexCheck(table, index, indexCounts.get(index.shard.attribute))]),
  )
}

/** Requires that the shadow keys of a sample are made as the options say. @returns the number of entries in it */
async function requireNames({ client, options }: CheckedTable, shadow: ShadowKey): Promise<number> {
  const { name: IndexName, shard } = shadow.index
  const { Items = [] } = await client.send(
    new ScanCommand({
      TableName: options.name,
      IndexName,
      Limit: SAMPLED_ENTRIES,
      ProjectionExpression: '#shard',
      ExpressionAttributeNames: { '#shard': shard.attribute },
    }),
  )
  for (const item of Items) {
    if (shadow.shardIn(item) !== undefined) continue
    const key = item[shard.attribute]
    const stored = key?.S ?? key?.B ?? key?.N ?? ''
    throw new IsothermError(
      'items.elsewhere',
      `The index ${IndexName} of ${options.name} has an entry with ${shard.attribute} ${JSON.stringify(stored)}, and the options say that it ends with ${options.delimiter} and the number of a shard. ` +
        'The entry would not be found. Set the delimiter as it was. If the application wrote the attribute itself, name another one with shadowKey, and fill it with backfillIndexes.',
      { table: options.name, storedKey: stored, shard: undefined, shards: undefined },
    )
  }
  return Items.length
}

interface ValueShard {
  readonly value: KeyValue
  readonly shard: number
}

/** Requires that a shard of a value has no entry. */
async function requireEmpty(
  { client, options }: CheckedTable,
  shadow: ShadowKey,
  counts: IndexCounts | undefined,
  { value, shard }: ValueShard,
): Promise<void> {
  if (shard > MAX_SHARDS) return
  const { index } = shadow
  const key = Object.entries(shadow.attributes(value, shard))
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: options.name,
      IndexName: index.name,
      Limit: 1,
      KeyConditionExpression: key.map((_, at) => `#key${at} = :key${at}`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(key.map(([name], at) => [`#key${at}`, name])),
      ExpressionAttributeValues: Object.fromEntries(key.map(([, each], at) => [`:key${at}`, each])),
    }),
  )
  if (Items.length === 0) return
  // Another process may have added the shard meanwhile.
  const now = await counts?.viewNow(counts.keyOf(shadow.storedValue(value)))
  if (now !== undefined && now.readable >= shard) return
  throw elsewhere(options, index, { value, shard, readable: now?.readable ?? shard - 1 })
}

function elsewhere(
  { name, shardMap }: CheckedTable['options'],
  index: ShardedIndex,
  { value, shard, readable }: ValueShard & { readonly readable: number },
): IsothermError<'items.elsewhere'> {
  const stored = 'S' in value ? value.S : 'N' in value ? value.N : value.B
  const [said, cure] =
    index.shards.kind === 'fixed'
      ? [`the options say fixedShards(${readable})`, 'Set the count as it was.']
      : [
          `the value has ${readable} in the shard map ${shardMap}`,
          `If the index had fixedShards(n), set initial: n. If the shard map was lost, emptied or restored, rebuild it with: isotherm shards rebuild --table ${name}.`,
        ]
  return new IsothermError(
    'items.elsewhere',
    `The index ${index.name} of ${name} has an entry of ${JSON.stringify(stored)} in shard ${shard}, and ${said}. The entry would not be found. ${cure}`,
    { table: name, storedKey: stored, shard, shards: readable },
  )
}

/** The options are refused by what was found, and never because something could not be found out. */
async function unlessUnreadable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof IsothermError && error.code === 'items.elsewhere') throw error
    return undefined
  }
}
