import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import type { KeyedTable } from '../keys/keyed-table.js'
import { distinct, type QuerySource } from '../queries/query-source.js'
import type { ShardedIndex } from './index-options.js'
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
    hashOf,
    shardOf: (key) => {
      const shards = Array.from({ length: index.shards.count() }, (_, position) => position + 1)
      return shards.find((shard) =>
        Object.entries(hashOf(shard)).every(([attribute, wanted]) => isSame(key[attribute], wanted)),
      )
    },
  }
}

function isSame(a: AttributeValue | undefined, b: AttributeValue): boolean {
  const bytes = (value: AttributeValue | undefined) =>
    value?.B === undefined ? undefined : Buffer.from(value.B).toString('latin1')
  return a?.S === b.S && a?.N === b.N && bytes(a) === bytes(b)
}
