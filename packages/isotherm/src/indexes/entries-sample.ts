import { type AttributeValue, ScanCommand, type TableDescription } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../errors/isotherm-error.js'
import { keyValueOf } from '../keys/item-key.js'
import { describedTable } from '../protocol/index.js'
import type { CheckedTable } from './checked-table.js'
import type { ShardedIndex } from './index-options.js'
import type { ShadowKey } from './shadow-key.js'

type Entry = Readonly<Record<string, AttributeValue>>
type DescribedIndex = NonNullable<TableDescription['GlobalSecondaryIndexes']>[number]

/** So many entries show another delimiter, and are all that a small index has. */
const SAMPLED_ENTRIES = 25

/** Fewer entries may all be of items that a process without the option has changed since. */
const FEWEST_ENTRIES = 3

/**
 * Compares the options of an index with a sample of its entries, and with its key and its projection where the entries do not show them:
 * the index is empty, or no entry has an attribute of the options. An index that does not exist may be created later.
 *
 * @returns the number of entries in the sample
 * @throws IsothermError `items.elsewhere`, `table.no-index`; the SDK's errors
 */
export async function requireEntries(table: CheckedTable, shadow: ShadowKey): Promise<number> {
  const { client, options } = table
  const { index } = shadow
  const entries = await entriesOf(table, index)
  const isMissing = (attribute: string) => entries.every((entry) => entry[attribute] === undefined)
  const isValueMissing = isMissing(index.partitionKey)
  if (isValueMissing || isMissing(index.shard.attribute)) {
    const described = await describedTable(options.name, client)
    const found = described?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.name)
    if (found !== undefined) requireKey(table, index, found)
    const isProjected = found !== undefined && projects(found, index.partitionKey)
    if (isValueMissing && isProjected && entries.length >= FEWEST_ENTRIES)
      throw otherValue(table, shadow, entries)
  }
  for (const entry of entries) requireName(table, shadow, entry)
  const isOfOtherValue = (entry: Entry) => !isMadeOf(shadow, entry)
  if (!isValueMissing && entries.length >= FEWEST_ENTRIES && entries.every(isOfOtherValue))
    throw otherValue(table, shadow, entries)
  return entries.length
}

/** Whole entries, because the service refuses to read an attribute that the index does not project. */
async function entriesOf(
  { client, options }: CheckedTable,
  { name }: ShardedIndex,
): Promise<readonly Entry[]> {
  const { Items = [] } = await client.send(
    new ScanCommand({ TableName: options.name, IndexName: name, Limit: SAMPLED_ENTRIES }),
  )
  return Items
}

/** Requires that the index has the key that the library writes. */
function requireKey(
  { options }: CheckedTable,
  { name, partitionKey, shard }: ShardedIndex,
  found: DescribedIndex,
) {
  const keys = (found.KeySchema ?? []).filter(({ KeyType }) => KeyType === 'HASH')
  const names = keys.map(({ AttributeName }) => AttributeName)
  const wanted = shard.in === 'attribute' ? [partitionKey, shard.attribute] : [shard.attribute]
  if (names.length === 0 || names.join() === wanted.join()) return
  const [is, should] = [names.join(', '), wanted.join(', ')]
  const option = shard.in === 'attribute' ? 'partitionKey and shardAttribute' : 'shadowKey'
  throw new IsothermError(
    'table.no-index',
    `The partition key of the index ${name} of ${options.name} is ${is}, and the options say ${should}. Items that this process writes would not be in the index. Correct ${option} of the index.`,
    { table: options.name, index: name, found: is },
  )
}

function projects({ Projection, KeySchema = [] }: DescribedIndex, attribute: string): boolean {
  if (Projection?.ProjectionType === 'ALL') return true
  if (KeySchema.some(({ AttributeName }) => AttributeName === attribute)) return true
  return Projection?.NonKeyAttributes?.includes(attribute) ?? false
}

/** Whether the entry is in the index under the value of the attribute that the options name. */
function isMadeOf(shadow: ShadowKey, entry: Entry): boolean {
  const { partitionKey, shard } = shadow.index
  const value = keyValueOf(entry[partitionKey])
  const number = shadow.shardIn(entry)
  if (value === undefined || number === undefined) return false
  const [made, stored] = [shadow.attributes(value, number)[shard.attribute], entry[shard.attribute]]
  return JSON.stringify(made) === JSON.stringify(stored)
}

function otherValue({ options }: CheckedTable, { index }: ShadowKey, [entry]: readonly Entry[]) {
  const { name, partitionKey, shard } = index
  const stored = storedKeyOf(entry?.[shard.attribute])
  return new IsothermError(
    'items.elsewhere',
    `The index ${name} of ${options.name} has an entry with ${shard.attribute} ${JSON.stringify(stored)}, and no entry that was read is made of ${partitionKey}, which the options name as its partitionKey. ` +
      'Items that this process writes would not be in the index. Set partitionKey as it was.',
    { table: options.name, storedKey: stored, shard: undefined, shards: undefined },
  )
}

/** Requires that the shadow key of an entry is made as the options say. */
function requireName({ options }: CheckedTable, shadow: ShadowKey, entry: Entry): void {
  if (shadow.shardIn(entry) !== undefined) return
  const { name, shard } = shadow.index
  const stored = storedKeyOf(entry[shard.attribute])
  throw new IsothermError(
    'items.elsewhere',
    `The index ${name} of ${options.name} has an entry with ${shard.attribute} ${JSON.stringify(stored)}, and the options say that it ends with ${options.delimiter} and the number of a shard. ` +
      'The entry would not be found. Set the delimiter as it was. If the application wrote the attribute itself, name another one with shadowKey, and fill it with backfillIndexes.',
    { table: options.name, storedKey: stored, shard: undefined, shards: undefined },
  )
}

function storedKeyOf(key: AttributeValue | undefined): string | Uint8Array {
  return key?.S ?? key?.B ?? key?.N ?? ''
}
