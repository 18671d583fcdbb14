import { isSharded } from '../../options/given-client.js'
import type { Sender } from '../sending/pattern-client.js'

/** What a pattern needs of its table. */
export interface ExpectedTable {
  /** The function that the application called. Its options are named in errors. */
  readonly pattern: 'counter' | 'directory' | 'large' | 'pool' | 'queue'
  readonly table: string
  /** The partition key, and the sort key if the options name one. */
  readonly keys: readonly string[]
  /** The type that the keys must have. Without it, any. */
  readonly keyType?: 'S'
  readonly index?: ExpectedIndex
}

/** The index of a pattern. */
export interface ExpectedIndex {
  readonly name: string
  /** A text. */
  readonly partitionKey: string
  readonly sortKey: string
  readonly sortType: 'N' | 'S'
  /** How the library names the partition key, if it shards the index: it does not, as it does by default, or in any way. */
  readonly shardedAs: 'nothing' | 'default' | 'any'
  /** The options that describe it, as in `pool.index, pool.indexKey or pool.place`. */
  readonly settings: string
  /** What returns the definition of a table with the index. */
  readonly definedBy: 'directoryTable(definition)' | 'poolTable(options)' | 'queueTable(options)'
}

/** The sparse index as the options of a pattern describe it. */
export function sparseIndexOf(
  client: Sender,
  pattern: 'pool' | 'queue',
  options: { readonly index: string; readonly indexKey: string; readonly shards: number },
  [sortOption, sortKey]: readonly [option: 'place' | 'due', attribute: string],
): ExpectedIndex {
  return {
    name: options.index,
    partitionKey: options.indexKey,
    sortKey,
    sortType: 'N',
    shardedAs: !isSharded(client) ? 'nothing' : options.shards === 1 ? 'any' : 'default',
    settings: `${pattern}.index, ${pattern}.indexKey or ${pattern}.${sortOption}`,
    definedBy: `${pattern}Table(options)`,
  }
}

/** The attributes of a primary key. */
export function keysOf({
  partitionKey,
  sortKey,
}: {
  readonly partitionKey: string
  readonly sortKey: string | undefined
}): readonly string[] {
  return sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
}
