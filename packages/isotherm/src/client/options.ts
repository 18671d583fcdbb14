import type { Clock, Random } from '@isotherm/runtime'
import type { IsothermEvent } from '../events/event.js'
import type { CoveringIndexOptions, ShardedIndexOptions } from '../indexes/index-options.js'
import type { Duration } from '../options/duration.js'
import type { SecondLevelCacheOptions } from '../protocol/second-level-cache/second-level-cache-options.js'
import type { WriteCapacityRaise } from '../scaling/raise-write-capacity.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'
import type { CalculatedSuffix } from '../writes/calculated.js'

/** How one table is sharded. */
export interface ShardedTableOptions {
  /** Name of the table's partition key attribute; it must be a string or binary. */
  readonly partitionKey: string
  /** Name of the table's sort key attribute, if it has one. */
  readonly sortKey?: string
  /**
   * `'random'`: a write goes to any shard of its key. For appends such as events, logs and votes, whose pair of keys is
   * unique by construction.
   *
   * `'calculated'`, or `calculated({ from: ['order_id'] })`: the key tells the shard. For everything else.
   */
  readonly suffix: 'random' | 'calculated' | CalculatedSuffix
  /** `fixedShards(n)` or `dynamicShards({ ... })`. */
  readonly shards: FixedShards | DynamicShards
  /** Name of the table of counts; only dynamic counts use it. Default `<table>_shard_map`. */
  readonly shardMap?: string
  /** What stands between logical key and shard number: one to 16 characters, no digits. Default `_`. */
  readonly delimiter?: string
  /**
   * Whether shard 1 is the bare key, so that a table with items in it is sharded as it stands. Default `false`. Check the
   * table first with `isotherm adopt --check`, and never change it afterwards.
   */
  readonly adopt?: boolean
  /**
   * Whether the service has transactions. Default `true`; `false` for an engine without them, where the count of a
   * calculated suffix cannot change.
   */
  readonly transactions?: boolean
  /** Whether the library may raise provisioned capacity. Default: it may not, and says so in an event. */
  readonly capacity?: WriteCapacityRaise
  /**
   * How long a count read from the shard map is used, at most; also the time that each phase of a change takes at least.
   * The same in every process. Default `'30s'`, and `'10s'` with a calculated suffix.
   */
  readonly cacheTtl?: Duration
  /**
   * How long after it was sent a request may still be carried out. A shard is only forgotten, and an item only moved, when
   * no request sent before can arrive any more. Default `'20s'`; `'5m'`, the life of a signature, holds for every network.
   */
  readonly lateRequests?: Duration
  /**
   * The indexes that queries are scattered for, by name: those whose own keys are sharded, and those under the table's
   * partition key. Any other index is asked as it is.
   */
  readonly indexes?: { readonly [index: string]: ShardedIndexOptions | CoveringIndexOptions }
  /**
   * Global secondary indexes with the table's own keys, projecting everything: eventually consistent queries are spread
   * over the table and these.
   */
  readonly readReplicas?: readonly string[]
  /** How often one request is tried before its throttling error is thrown, 1 to 100. Default 8. */
  readonly maxAttempts?: number
  /** How long one request is tried before its throttling error is thrown. Default `'10s'`. */
  readonly retryDeadline?: Duration
}

/**
 * A table whose own key needs no sharding, but some of its indexes do. Its items stay under the keys that they have, and
 * its requests keep the SDK's own retries.
 */
export interface IndexedTableOptions
  extends Pick<ShardedTableOptions, 'sortKey' | 'delimiter' | 'maxAttempts' | 'retryDeadline'> {
  /** Name of the table's partition key attribute, of any type. */
  readonly partitionKey: string
  /** The indexes whose keys are sharded, by name. Any other index is asked as it is. */
  readonly indexes: { readonly [index: string]: ShardedIndexOptions }
  readonly suffix?: undefined
  readonly shards?: undefined
}

/** What `isotherm` takes besides the client. */
export interface IsothermOptions {
  /** The tables that are sharded, or have sharded indexes, by name. Every other table passes through untouched. */
  readonly tables: { readonly [table: string]: ShardedTableOptions | IndexedTableOptions }
  /**
   * Shares the counts of tables with a random suffix between processes, so that a fleet reads the shard map less often. It
   * makes no count older than `cacheTtl`, as long as clocks differ by no more than its `clockSkew`. Tables with a
   * calculated suffix, whose changes rely on no calendar, do not use it. Default: none.
   */
  readonly secondLevelCache?: SecondLevelCacheOptions
  /** Time. Default: the machine's. */
  readonly clock?: Clock
  /** Chance. Default: the machine's. */
  readonly random?: Random
  /** Hears of every throttle, scaling and failure in the background. It must not throw. */
  readonly onEvent?: (event: IsothermEvent) => void
}
