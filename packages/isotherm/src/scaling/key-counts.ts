import type { KeyValue } from '@isotherm/semantics'
import type { SendingTable } from '../attempts/sending-table.js'
import type { Emit, IsothermEvent, ThrottleScope } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import type { OpenSharedStates, ShardViews } from '../protocol/index.js'
import type { KeyShards } from './key-shards.js'
import type { Migratable } from './migratable.js'
import type { OpenRebalancer } from './rebalancer.js'
import type { KeyHeat } from './sensing/key-heat.js'

/** A table whose keys have shard counts. */
export interface ScaledTable extends SendingTable {
  readonly emit: Emit
}

/** The shard counts of a table's keys, and the operations that change them. */
export interface KeyCounts {
  readonly views: ShardViews
  /** Handles a throttle of the key that more shards may prevent. Never throws. */
  throttled(key: LogicalKey, throttle: KeyThrottle): void
  /** Handles a throttle of a read that more shards would spread. Missing if reads add no shards. Never throws. */
  readonly readThrottled?: ((key: LogicalKey, throttle: KeyReadThrottle) => void) | undefined
  /**
   * Manual control of one key's shards. Returns `undefined` if the table has one count for all keys, or if this process
   * can only increase counts.
   */
  byHand(key: LogicalKey): KeyShards | undefined
  /** Missing like the result of `byHand`, and for indexes. */
  readonly migratable?: Migratable | undefined
}

/** A throttled attempt, as evidence for more shards. */
export interface KeyThrottle {
  /**
   * `partition`: one partition is full. `unknown`: either one partition or the whole table, because the service gave no
   * reason, so the key may only grow by one step until it is known.
   */
  readonly scope: Extract<ThrottleScope, 'partition' | 'unknown'>
  /** The units of the attempt. */
  readonly units: number
  /** The number of throttled attempts of the call, including this one. */
  readonly attempt: number
  /** What distinguishes the items of the key, if it is known: the sort key. */
  readonly item: KeyValue | undefined
}

/** A throttled attempt to read, as evidence for more shards. */
export interface KeyReadThrottle extends KeyThrottle {
  /** Up to so many times as many shards make the read cheaper for each of them. */
  readonly mostFactor: number
}

type Task = Extract<IsothermEvent, { type: 'failed' }>['task']

export interface CountsOpening {
  readonly table: ScaledTable
  /** Whether the shard map has a card for these counts. The counts of indexes have none. */
  readonly hasCard: boolean
  readonly heat: KeyHeat
  /** The heat of reads, in read units; `undefined` until this process has read the table. */
  readonly readHeat: () => KeyHeat | undefined
  /** Aborts when the client is destroyed. */
  readonly signal: AbortSignal
  /** Removes shards and moves items. Without it, this process only increases counts. */
  readonly openRebalancer: OpenRebalancer | undefined
  /** The second-level cache of the shard map, shared between processes. */
  readonly openSharedStates: OpenSharedStates | undefined
  readonly onFailed: (task: Task, error: unknown) => void
}

export type OpenKeyCounts = (opening: CountsOpening) => KeyCounts
