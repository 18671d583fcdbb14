import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { keyText, type LogicalKey, type SuffixableKey } from '../keys/key.js'
import type { KeyedTable } from '../keys/keyed-table.js'

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

/**
 * The table, a replica of it, or another index under the table's partition key.
 *
 * Such an index may have the table's sort key too, and less of each item than a replica: then the mark is missing by which an
 * item that was moved is known again, and asking for it would be refused. Such items are told apart by their keys.
 */
export function tableSource(
  { options, suffix }: KeyedTable,
  logical: LogicalKey,
  index:
    | {
        readonly kind: 'replica' | 'covering'
        readonly name: string
        readonly sortKey: string | undefined
      }
    | undefined,
): QuerySource {
  const { partitionKey, sortKey } = options
  const isUnique = index?.kind !== 'covering'
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
