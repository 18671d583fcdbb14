import type { KeyValue } from '@isotherm/semantics'

/** The placement function of a table that was sharded by hand. It returns a shard from 1 to `shards`. */
export type OwnPlace = (logical: KeyValue, sort: KeyValue | undefined, shards: number) => number

/** A suffix that is calculated from the primary key. */
export interface SuffixSource {
  readonly kind: 'calculated'
  /** The key attributes from which it is calculated. `undefined` means the sort key. */
  readonly from: readonly string[] | undefined
  /**
   * Calculates the shard in place of the library's own function.
   * @internal
   */
  readonly ownPlace?: OwnPlace
  /**
   * The shard of an item among this many. The value carries its own implementation, so that bundles of applications with a
   * random suffix exclude the placement.
   * @internal
   */
  readonly placeOf?: (table: ShardedTable, key: StoredKey, shards: number) => number
}

/** The primary key of an item, as the application knows it. */
export interface StoredKey {
  readonly logical: KeyValue
  readonly sort: KeyValue | undefined
}

/** The checked options of one table with all defaults, whether the table itself is sharded or only its indexes. */
export interface ShardedTable {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string | undefined
  /** `none` when only its indexes are sharded. */
  readonly suffix: 'none' | 'random' | SuffixSource
  readonly delimiter: string
  readonly adopt: boolean
  /** The scheme of a table that was sharded by hand. */
  readonly handMade?: { readonly name: string } | undefined
  /** Whether the database supports transactions. */
  readonly transactions: boolean
  /**
   * Whether items are ever moved between shards, which is the case with dynamic shard counts. Otherwise writes need not
   * check for moves.
   */
  readonly itemsMayMove: boolean
  readonly shardMap: string
  /** Whether the shard map has a client of its own, so that the processes of several regions may share one. */
  readonly shardMapHasClient: boolean
  /** Whether the writes of each key all come from one region. */
  readonly keysOfOneRegion: boolean
  /** Whether a sample of the table is compared with the options. */
  readonly checkItems: boolean
  readonly cacheMilliseconds: number
  readonly lateRequestMilliseconds: number
  /** For how long after the end of its lifetime a cached count may still be used by reads, if the shard map does not answer. */
  readonly staleReadMilliseconds: number
  readonly maxAttempts: number
  readonly retryMilliseconds: number
  /** Indexes that queries may read instead of the table. */
  readonly readReplicas: readonly string[]
  /** Attributes that the library adds to items and never returns. */
  readonly hiddenAttributes: readonly string[]
}

/** How the shard of an item is determined. `bare`: not at all, because only the table's indexes are sharded. */
export type PlacementKind = 'bare' | 'random' | 'calculated'

export function placementKindOf({ suffix }: Pick<ShardedTable, 'suffix'>): PlacementKind {
  if (suffix === 'none') return 'bare'
  return suffix === 'random' ? 'random' : 'calculated'
}

/** The default name of a table's shard map. */
export function defaultShardMapName(table: string): string {
  return `${table}_shard_map`
}
