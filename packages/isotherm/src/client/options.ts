import type { Clock, Random } from '@isotherm/runtime'
import type { IsothermEvent } from '../events/event.js'
import type { ShardedIndexOptions, TableIndexOptions } from '../indexes/index-options.js'
import type { Duration } from '../options/duration.js'
import type { KeyOptions } from '../options/key-options.js'
import type { SecondLevelCacheOptions } from '../protocol/second-level-cache/second-level-cache-options.js'
import type { WriteCapacityRaise } from '../scaling/raise-write-capacity.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'
import type { CalculatedSuffix } from '../writes/calculated.js'

/** How one table is sharded. */
export interface ShardedTableOptions extends KeyOptions, TableIndexOptions {
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
