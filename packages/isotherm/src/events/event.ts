import type { KeyValue } from '@isotherm/semantics'

/**
 * The resource that throttled a request: one partition, the whole table, or an index. `unknown` when the service gave
 * no reason, and the figures of the whole table are not known (see the option `tableMetrics`) or do not show it.
 */
export type ThrottleScope = 'partition' | 'table' | 'index' | 'unknown'

/** Whether a request reads or writes. Each has capacity of its own. */
export type Access = 'read' | 'write'

/** Why the shard count of a key was changed. */
export type ScalingReason = 'hot' | 'quiet' | 'set'

/** What the events of a drain have in common. */
export interface DrainEvent {
  readonly table: string
  readonly logicalKey: string | Uint8Array
  /** How many items were read, how many of them were moved, and how many were found twice. */
  readonly scanned: number
  readonly moved: number
  readonly twoCopies: number
  readonly shard: number
  readonly shards: number
  readonly at: number
}

/**
 * An event that the library emits while it works. `at` is in milliseconds since the Unix epoch. A logical key is text
 * or bytes. In an event with an `index`, it is a key value of that index, and a number is text.
 *
 * Events reach the option `onEvent`, and subscribers of Node's diagnostics channels `isotherm:<type>`.
 */
export type IsothermEvent =
  /**
   * An attempt to write or to read items of one key was throttled. `attempt` is its number within the call, from 1. It is
   * retried until attempts or time run out.
   *
   * `access` is present in every event of this version. `index` is the index that was queried, or the index with
   * `dynamicShards` that throttled a write. The logical key of an index with a key of its own is the index's. A batch
   * emits one event for each of its throttled keys, with the first of the key's throttled shards.
   */
  | {
      readonly type: 'throttled'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly shard: number
      readonly attempt: number
      readonly scope: ThrottleScope
      readonly reasons: readonly string[]
      readonly access?: Access
      readonly index?: string
      readonly at: number
    }
  /**
   * An attempt to read items of many keys was throttled: a scan, or a query of an index that is not sharded. The SDK
   * retries it.
   */
  | {
      readonly type: 'scan-throttled'
      readonly table: string
      readonly attempt: number
      readonly scope: ThrottleScope
      readonly reasons: readonly string[]
      readonly index?: string
      readonly at: number
    }
  /**
   * This process changed the number of shards that writers of a key use, up or down.
   *
   * - `hot`: the key was throttled.
   * - `quiet`: fewer shards are enough.
   * - `set`: the application called `db.shards().set()`.
   * - `announced`: the second step of a change for a calculated suffix, which an event `announced` has preceded.
   */
  | {
      readonly type: 'scaled'
      readonly table: string
      readonly index?: string
      readonly logicalKey: string | Uint8Array
      readonly from: number
      readonly to: number
      readonly reason: ScalingReason | 'announced'
      readonly at: number
    }
  /**
   * This process started to change the shard count of a key with a calculated suffix. An event `scaled` follows when
   * writers use the new count.
   */
  | {
      readonly type: 'announced'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly from: number
      readonly to: number
      readonly reason: ScalingReason
      readonly at: number
    }
  /** Items are being moved out of retired shards. `shard` is the current one of `shards`. Emitted every few seconds. */
  | ({ readonly type: 'draining' } & DrainEvent)
  /** A pass over all shards that items leave is complete. */
  | ({ readonly type: 'drained' } & DrainEvent)
  /** A change of the shard count is complete. Reads no longer include retired shards. */
  | {
      readonly type: 'settled'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly shards: number
      readonly at: number
    }
  /**
   * Two different items were found where one should be, because a request arrived later than `lateRequests` allows.
   * From now on, the copy in the `target` shard is the item. The copy in the `source` shard is either `kept`, and then
   * the change of the shard count stays incomplete until you resolve it, or it was `discarded` because you requested
   * that.
   */
  | {
      readonly type: 'two-copies'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly sortKey: KeyValue | undefined
      readonly source: number
      readonly target: number
      readonly sourceCopy: 'kept' | 'discarded'
      readonly at: number
    }
  /**
   * A quiet key keeps its shards, because removing them does not pay. It is looked at again when its shards have cost twice
   * as many reads.
   *
   * - `price`: moving the items costs more than the reads since the key became quiet, `spentReadUnits`. A write unit counts as
   *   five read units.
   * - `expiry`: most of the items will be deleted by their time to live before the move would have paid.
   * - `budget`: the move pays, but `shrinkUnitsPerDay` does not allow it today.
   *
   * `items` and `writeUnits` are those of the move. With `price`, counting ends as soon as it cannot pay, so there are more.
   * `db.shards(table, key).set(to)` removes the shards all the same.
   */
  | {
      readonly type: 'shrink-declined'
      readonly table: string
      readonly logicalKey: string | Uint8Array
      readonly from: number
      readonly to: number
      readonly reason: 'price' | 'expiry' | 'budget'
      readonly items: number
      readonly writeUnits: number
      /** What the shards have cost since the key became quiet. */
      readonly spentReadUnits: number
      readonly savedReadUnitsPerDay: number
      readonly at: number
    }
  /**
   * Nearly all throttled writes of a key are of one item, so the key gets no more shards: an item is in one shard.
   * Emitted by one process of the fleet, at most once per hour while the count stays.
   */
  | {
      readonly type: 'hot-item'
      readonly table: string
      readonly index?: string
      readonly logicalKey: string | Uint8Array
      /** The sort key of the item; `undefined` if this process was not refused it, or the table has none. */
      readonly sortKey: KeyValue | undefined
      readonly shards: number
      /** What helps, in a sentence. */
      readonly cure: string
      readonly at: number
    }
  /**
   * The last two growths of a key brought almost nothing, so it gets no more shards: not the key, but the partitions of
   * the table, or of the `index`, are full. Emitted by one process of the fleet, at most once per hour while the count
   * stays.
   */
  | {
      readonly type: 'table-full'
      readonly table: string
      readonly index?: string
      readonly logicalKey: string | Uint8Array
      readonly shards: number
      /** What helps, in a sentence. */
      readonly cure: string
      readonly at: number
    }
  /** A key is throttled and already has `max` shards. Each process emits it at most every 30 seconds. */
  | {
      readonly type: 'shard-limit-reached'
      readonly table: string
      readonly index?: string
      readonly logicalKey: string | Uint8Array
      readonly shards: number
      readonly at: number
    }
  /**
   * The throughput of the table itself, its maximum, or the account's limit is exhausted, so more shards cannot help.
   * Emitted at most once per second, for reads and for writes.
   */
  | {
      readonly type: 'table-throttled'
      readonly table: string
      readonly reasons: readonly string[]
      /** Present in every event of this version. */
      readonly access?: Access
      readonly at: number
    }
  /** This process raised the table's provisioned capacity. `from` and `to` are units per second. */
  | {
      readonly type: 'capacity-raised'
      readonly table: string
      readonly from: number
      readonly to: number
      /** Present in every event of this version. */
      readonly access?: Access
      readonly at: number
    }
  /**
   * A request needed a shard count that is out of date, and the shard map did not answer: it is denied, throttled, deleted,
   * or was emptied or restored (`error` is a `card.lost` then). Emitted at most every 10 seconds for each action.
   *
   * - `append-to-first-shard`: a new item with a random suffix went to the first shard of its key.
   * - `read-from-cache`: a read used the last known count, which the option `staleReads` allows.
   * - `wait`: the request waits until `retryDeadline`, and then fails with `error` as its cause.
   */
  | {
      readonly type: 'shard-map-unavailable'
      readonly table: string
      readonly shardMap: string
      readonly action: 'append-to-first-shard' | 'read-from-cache' | 'wait'
      readonly error: unknown
      readonly at: number
    }
  /** The shard map answers this process again. */
  | {
      readonly type: 'shard-map-available'
      readonly table: string
      readonly shardMap: string
      /** The time since the first request that it did not answer. */
      readonly unavailableMilliseconds: number
      readonly at: number
    }
  /** A background task failed. It is tried again when there is a new reason to. */
  | {
      readonly type: 'failed'
      readonly table: string
      readonly task:
        | 'scale'
        | 'change-count'
        | 'refresh-shard-map'
        | 'describe-table'
        | 'sample-table'
        | 'table-metrics'
        | 'raise-capacity'
        | 'second-level-cache'
      readonly error: unknown
      readonly at: number
    }

/** Emits an event. */
export type Emit = (event: IsothermEvent) => void
