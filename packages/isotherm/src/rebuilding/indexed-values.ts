import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { shardMapKeyOf } from '../indexes/index-key.js'
import type { KnownIndex, ShardedIndex } from '../indexes/index-options.js'
import { keyValueOf } from '../keys/item-key.js'
import type { SuffixableKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import type { ShardedTable } from '../options/sharded-table.js'
import type { IndexedValue, RebuiltTable } from './rebuilt-table.js'

/** How to find the values of a table's indexes with dynamic counts, and their shards, in its items. */
export function indexedValuesOf(
  table: Pick<ShardedTable, 'name' | 'delimiter'>,
  indexes: ReadonlyMap<string, KnownIndex>,
): Pick<RebuiltTable, 'indexAttributes' | 'indexedValues'> {
  const dynamic = [...indexes.values()].flatMap((index) =>
    index.kind === 'sharded' && index.shards.kind === 'dynamic'
      ? [{ index, initial: index.shards.initial }]
      : [],
  )
  const suffix = new Suffix(table.name, table.delimiter, false)
  return {
    indexAttributes: [
      ...new Set(dynamic.flatMap(({ index }) => [index.partitionKey, index.shard.attribute])),
    ],
    indexedValues: (item) =>
      dynamic.flatMap(({ index, initial }) => {
        const found = valueIn(item, index, suffix)
        if (found === undefined) return []
        return [{ ...found, initial, key: shardMapKeyOf(table.name, index.shard.attribute, found.value) }]
      }),
  }
}

/** The value as the index stores it, and its shard; `undefined` for an item that is not in the index. */
function valueIn(
  item: Readonly<Record<string, AttributeValue>>,
  { partitionKey, shard: place }: ShardedIndex,
  suffix: Suffix,
):
  | (Pick<IndexedValue, 'shard'> & { readonly value: NonNullable<ReturnType<typeof keyValueOf>> })
  | undefined {
  const stored = item[place.attribute]
  if (place.in === 'attribute') {
    const [value, shard] = [keyValueOf(item[partitionKey]), Number(stored?.N)]
    return value === undefined || !Number.isInteger(shard) || shard < 1 ? undefined : { value, shard }
  }
  if (stored?.S === undefined && stored?.B === undefined) return undefined
  const stripped = suffix.strip(stored as SuffixableKey)
  return stripped && { value: stripped.logical, shard: stripped.shard }
}
