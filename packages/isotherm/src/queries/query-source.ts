import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { keyText, type LogicalKey, type SuffixableKey } from '../keys/key.js'
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

export function distinct(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== undefined))]
}
