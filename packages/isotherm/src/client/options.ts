import type { Clock, Random } from '@isotherm/runtime'
import type { IsothermEvent } from '../events/event.js'
import type { ShardedIndexOptions, TableIndexOptions } from '../indexes/index-options.js'
import type { Duration } from '../options/duration.js'
import type { KeyOptions } from '../options/key-options.js'
import type { SecondLevelCacheOptions } from '../protocol/index.js'
import type { CapacityRaise } from '../scaling/capacity-raise.js'
import type { TableMetrics } from '../scaling/sensing/table-usage.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'
import type { CalculatedSuffix } from '../writes/calculated.js'
import type { HandMade } from '../writes/hand-made.js'

/** Options of one sharded table. */
export interface ShardedTableOptions extends KeyOptions, TableIndexOptions {
  /**
   * How the shard of an item is chosen.
   *
   * `'random'`: each new item goes to a random shard. Use it for appends such as events, logs and votes, whose primary
   * keys are unique by construction.
   *
   * `'calculated'`, or `calculated({ from: ['order_id'] })`: the shard is calculated from the item's key. Use it for
   * everything else.
   *
   * `handMade({ ... })`: the table was sharded by hand, before it had this library.
   */
  readonly suffix: 'random' | 'calculated' | CalculatedSuffix | HandMade
  /**
   * The number of shards of each logical key: `fixedShards(n)` for a constant number, or `dynamicShards({ ... })` for a
   * number that follows the load of the key.
   */
  readonly shards: FixedShards | DynamicShards
  /**
   * The name of the shard map, the table that stores shard counts, or its name and a client of its own:
   * `{ table: 'counts', client }`. Only `dynamicShards` uses it. The default is `<table>_shard_map`, with the client of the
   * table.
   */
  readonly shardMap?: string | ShardMapOption | undefined
  /**
   * Whether a sample of the table's items is compared with the options, so that a wrong count or delimiter is an error and does not hide
   * items. With `dynamicShards` the first process does it that uses the table. With `fixedShards`, also with `handMade`, each process does it
   * before its first request, with four small scans at most. Sharded indexes are compared when a process first queries them
   * or writes their entries. Set `false` if the table also has items of other programs, without a suffix. The default is `true`.
   */
  readonly checkItems?: boolean | undefined
  /**
   * Whether the database supports transactions. It must be the same in every process. The default is `true`. Set `false` for
   * an engine without them. Then shard counts of a calculated suffix cannot change.
   */
  readonly transactions?: boolean | undefined
  /**
   * Allows the library to raise the table's provisioned capacity, with `raiseWriteCapacity({ ... })`,
   * `raiseReadCapacity({ ... })`, or a list of both. By default it does not, and emits an event `table-throttled`
   * instead.
   */
  readonly capacity?: CapacityRaise | readonly CapacityRaise[] | undefined
  /**
   * The maximum age of a cached shard count, and the minimum duration of each phase of a change. It must be the same in
   * every process: with different values, a change of a count can lose updates. So change it while no count can change. The
   * default is `'30s'`, and `'10s'` with a calculated suffix.
   */
  readonly cacheTtl?: Duration | undefined
  /**
   * How long after the end of its cached shard count a write may still take effect. Shards are retired, and items moved,
   * only when no earlier write can still arrive. Halfway through this time, the library aborts a write without a
   * response and closes its connection. The other half is for what the network already has. It must be the same in every
   * process, and is changed like `cacheTtl`. The default is `'5s'`. `'5m'`, the lifetime of a request signature, is safe for any network.
   */
  readonly lateRequests?: Duration | undefined
  /**
   * How long reads may use a cached shard count beyond `cacheTtl` while the shard map does not answer. They may miss items
   * that were stored in shards added since. Consistent reads, and writes that look for their item, do not use it. The
   * default is `'5m'`. `0` means that reads fail, too.
   */
  readonly staleReads?: Duration | undefined
  /**
   * The maximum number of attempts of a throttled request, 1 to 100. Then its throttling error is thrown. The default
   * is 8.
   */
  readonly maxAttempts?: number | undefined
  /** The maximum time to retry a throttled request. Then its throttling error is thrown. The default is `'10s'`. */
  readonly retryDeadline?: Duration | undefined
}

/** The shard map of a table, with a client of its own. */
export interface ShardMapOption {
  /** The name of the shard map. The default is `<table>_shard_map`. */
  readonly table?: string | undefined
  /**
   * The client for the requests of the shard map: with other credentials or retries, for another region, or in front of an
   * accelerator. It gets low-level commands, and must return what was last written to a read with `ConsistentRead`.
   */
  readonly client?: { readonly config: object; readonly middlewareStack: object } | undefined
  /**
   * Whether the writes of each logical key all come from one region. Only a global table with a calculated suffix needs it: conditions,
   * transactions and moves hold in one region, so it is refused unless you say `true`. The default is `false`.
   */
  readonly keysOfOneRegion?: boolean | undefined
}

/**
 * Options of a table that is not sharded itself, but has sharded indexes. Its items keep their keys, and its requests
 * keep the SDK's own retries, except writes to an index with `dynamicShards`. Such an index uses the shard map. The
 * default of `cacheTtl` is `'10s'` here.
 */
export interface IndexedTableOptions
  extends Pick<
    ShardedTableOptions,
    | 'sortKey'
    | 'delimiter'
    | 'maxAttempts'
    | 'retryDeadline'
    | 'shardMap'
    | 'cacheTtl'
    | 'staleReads'
    | 'checkItems'
  > {
  /** The name of the table's partition key attribute, of any type. */
  readonly partitionKey: string
  /** The indexes with sharded keys, by name. Queries of other indexes are sent unchanged. */
  readonly indexes: { readonly [index: string]: ShardedIndexOptions }
  readonly suffix?: undefined
  readonly shards?: undefined
}

/** Options of `isotherm`. */
export interface IsothermOptions {
  /** The tables that are sharded or have sharded indexes, by name. Requests for other tables are sent unchanged. */
  readonly tables: { readonly [table: string]: ShardedTableOptions | IndexedTableOptions }
  /**
   * Shares cached shard counts between processes, so that a fleet reads the shard map less often. Counts do not become
   * older than `cacheTtl`, as long as clocks differ by at most its `clockSkew`. Only tables with a random suffix use
   * it, because changes of a calculated suffix must not depend on clocks. The default is no shared cache.
   */
  readonly secondLevelCache?: SecondLevelCacheOptions | undefined
  /**
   * Returns the use of whole tables, by all processes. It is needed where the service gives no reason for throttles:
   * with older services and SDKs, other engines, and for batches and transactions. Then it distinguishes a hot partition from
   * a table that is too small. `cloudWatch(new CloudWatchClient({}))` from the entry `isotherm/cloudwatch` asks
   * CloudWatch. Without it, and until it has an answer, the scope of such a throttle is `unknown`, and a key grows by one
   * step at most.
   */
  readonly tableMetrics?: TableMetrics | undefined
  /** The clock. The default is the system clock. */
  readonly clock?: Clock | undefined
  /** The random source. The default is the system's. */
  readonly random?: Random | undefined
  /**
   * Called for every event, such as a throttle, a changed shard count or a failed background task. It must not throw.
   *
   * @example onEvent: (event) => { if (event.type === 'scaled') console.log(event.logicalKey, event.to) }
   */
  readonly onEvent?: ((event: IsothermEvent) => void) | undefined
}
