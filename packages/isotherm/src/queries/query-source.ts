import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { keyText, type LogicalKey, type SuffixableKey } from '../keys/key.js'
import type { KeyedTable } from '../keys/keyed-table.js'

/** A stored primary key of the table or of an index. */
export type StoredKey = Record<string, AttributeValue>

/** The shards of a key that a query reads, in the table or in an index. */
export interface QuerySource {
  readonly indexName: string | undefined
  /** The sort key of the table or index, which determines the order of the result. */
  readonly sortKey: string | undefined
  /** All attributes of a `LastEvaluatedKey`. */
  readonly keyAttributes: readonly string[]
  /**
   * Whether a shard has at most one item for a sort key, so that shard and sort key determine the key at any position.
   */
  readonly isUnique: boolean
  /** Whether the partition key of a shard is short enough for DynamoDB. No item is in a shard without room. */
  hasRoom(shard: number): boolean
  /** The partition key of a shard. */
  hashOf(shard: number): StoredKey
  /** The shard of a key, or `undefined` for the key of something else. */
  shardOf(key: StoredKey): number | undefined
  /** Whether a key has the logical key of this source, as an application writes it by hand. */
  isLogical(key: StoredKey): boolean
}

/**
 * The source for the table, a replica of it, or another index with the table's partition key.
 *
 * Such an index may also have the table's sort key and hold fewer attributes than a replica. Then it lacks the mark
 * that identifies a moved item, and requesting it would fail. Items of such an index are identified by their keys.
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
    hasRoom: (shard) => suffix.hasRoom(logical, shard),
    hashOf: (shard) => ({ [partitionKey]: { ...suffix.add(logical, shard) } }),
    shardOf: ({ [partitionKey]: value }) => {
      const canBeKey = typeof value?.S === 'string' || value?.B instanceof Uint8Array
      const stripped = canBeKey ? suffix.strip(value as SuffixableKey) : undefined
      return stripped !== undefined && keyText(stripped.logical) === text ? stripped.shard : undefined
    },
    isLogical: ({ [partitionKey]: value }) =>
      (typeof value?.S === 'string' || value?.B instanceof Uint8Array) &&
      keyText(value as LogicalKey) === text,
  }
}

export function distinct(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== undefined))]
}
