import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import { ShadowKey } from '../indexes/shadow-key.js'
import { keyText, type LogicalKey, type SuffixableKey } from '../keys/key.js'
import type { ShardedIndex } from '../options/index-options.js'
import type { TableRuntime } from '../table/table-runtime.js'

/** A primary key as it is stored, of the table or of an index. */
export type StoredKey = Record<string, AttributeValue>

/** What one query is scattered over: the shards of a key, in the table or in an index. */
export interface QuerySource {
  readonly indexName: string | undefined
  /** The sort key of the table or index: the order of the result. */
  readonly sortKey: string | undefined
  /** Every attribute of a `LastEvaluatedKey`. */
  readonly keyAttributes: readonly string[]
  /** Whether a shard has one item at most for a sort key, so that shard and sort key make up the key of any place. */
  readonly isUnique: boolean
  /** The partition key that a shard is asked for. */
  hashOf(shard: number): StoredKey
  /** The shard that a key lies in; `undefined` for a key of anything else. */
  shardOf(key: StoredKey): number | undefined
}

/** The table, or an index under the table's partition key with a sort key of its own. */
export function tableSource(
  { options, suffix }: TableRuntime,
  logical: LogicalKey,
  index: { readonly name: string; readonly sortKey: string | undefined } | undefined,
): QuerySource {
  const { partitionKey, sortKey } = options
  const isUnique = index === undefined || index.sortKey === sortKey
  const text = keyText(logical)
  return {
    indexName: index?.name,
    sortKey: index === undefined ? sortKey : index.sortKey,
    keyAttributes: distinct([partitionKey, sortKey, index?.sortKey]),
    isUnique,
    hashOf: (shard) => ({ [partitionKey]: { ...suffix.add(logical, shard) } }),
    shardOf: ({ [partitionKey]: value }) => {
      const canBeKey = typeof value?.S === 'string' || value?.B instanceof Uint8Array
      const stripped = canBeKey ? suffix.strip(value as SuffixableKey) : undefined
      return stripped !== undefined && keyText(stripped.logical) === text ? stripped.shard : undefined
    },
  }
}

/** An index whose own partition key is spread over shards. */
export function shardedIndexSource(
  { options }: TableRuntime,
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

function distinct(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== undefined))]
}

function isSame(a: AttributeValue | undefined, b: AttributeValue): boolean {
  const bytes = (value: AttributeValue | undefined) =>
    value?.B === undefined ? undefined : Buffer.from(value.B).toString('latin1')
  return a?.S === b.S && a?.N === b.N && bytes(a) === bytes(b)
}
