import type { SendingTable } from '../attempts/sending-table.js'
import type { Emit, IsothermEvent } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import type { OpenSharedStates, ShardViews } from '../protocol/index.js'
import type { KeyShards } from './key-shards.js'
import type { OpenRebalancer } from './rebalancer.js'
import type { KeyHeat } from './sensing/key-heat.js'

/** A table whose keys are given their counts. */
export interface ScaledTable extends SendingTable {
  readonly emit: Emit
}

/** How many shards each key of a table has, and what changes that. */
export interface KeyCounts {
  readonly views: ShardViews
  /** The key was throttled by its partition. Never throws. */
  throttled(key: LogicalKey): void
  /** One key's shards, by hand; `undefined` where people choose one count for all keys, or this process only lets counts grow. */
  byHand(key: LogicalKey): KeyShards | undefined
}

type Task = Extract<IsothermEvent, { type: 'failed' }>['task']

export interface CountsOpening {
  readonly table: ScaledTable
  readonly heat: KeyHeat
  /** Aborts when the client is destroyed. */
  readonly signal: AbortSignal
  /** What takes shards away and moves items; without it, counts only grow by this process. */
  readonly openRebalancer: OpenRebalancer | undefined
  /** What other processes know of the shard map. */
  readonly openSharedStates: OpenSharedStates | undefined
  readonly onFailed: (task: Task, error: unknown) => void
}

export type OpenKeyCounts = (opening: CountsOpening) => KeyCounts
