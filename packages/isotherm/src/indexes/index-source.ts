import type { KeyValue } from '@isotherm/semantics'
import type { KeyedTable } from '../keys/keyed-table.js'
import { MAX_SHARDS } from '../options/shard-limits.js'
import { distinct, type QuerySource } from '../queries/query-source.js'
import type { ShardedIndex } from './index-options.js'
import { isSameValue } from './same-value.js'
import { ShadowKey } from './shadow-key.js'

/** The source of a query of an index with a sharded partition key. */
export function shardedIndexSource(
  { options }: KeyedTable,
  index: ShardedIndex,
  value: KeyValue,
): QuerySource {
  const shadow = new ShadowKey(options, index)
  const hashOf = (shard: number) => shadow.attributes(value, shard)
  return {
    indexName: index.name,
    sortKey: index.sortKey,
    keyAttributes: distinct([
      ...Object.keys(hashOf(1)),
      index.sortKey,
      options.partitionKey,
      options.sortKey,
    ]),
    isUnique: false,
    hasRoom: (shard) => shadow.hasRoom(value, shard),
    hashOf,
    shardOf: (key) => {
      const shard = shadow.shardIn(key)
      if (shard === undefined || shard > maxShards(index)) return undefined
      const isHere = Object.entries(hashOf(shard)).every(([name, wanted]) => isSameValue(key[name], wanted))
      return isHere ? shard : undefined
    },
    isLogical: () => false,
  }
}

/** With `dynamicShards`, the shard map says how many shards the value has. */
function maxShards({ shards }: ShardedIndex): number {
  return shards.kind === 'fixed' ? shards.count() : MAX_SHARDS
}
