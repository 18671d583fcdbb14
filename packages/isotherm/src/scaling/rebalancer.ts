import type { LogicalKey } from '../keys/key.js'
import {
  type AtRest,
  type MovingTable,
  requireOnePhaseApart,
  type ShardMap,
  type ShardState,
  type Unfinished,
} from '../protocol/index.js'
import { CountChanger } from './count-changer.js'
import { CountDrivers } from './count-drivers.js'
import { KeyShards } from './key-shards.js'
import type { ScalingOptions } from './scaling-options.js'
import { Shrinker } from './shrinker.js'

/**
 * What a process does for the counts of keys beyond letting them grow: takes shards away, moves items, brings changes to
 * their end, its own and those that another process has left.
 */
export interface Rebalancer {
  /** The state that a change of a count begins with. */
  firstStep(state: AtRest, to: number, epochSeconds: number): ShardState
  /** Drives on in the background from a state that this process has just written. */
  begin(key: LogicalKey, state: Unfinished): void
  /** The shard map was read for a key that is used. `inUse` is what requests of this process were still sent by. */
  noticed(key: LogicalKey, state: ShardState, inUse: ShardState | undefined): void
  /** Nobody has found the key busy for its whole quiet time. */
  shrink(key: LogicalKey): Promise<void>
  /** One key's shards, by hand. */
  byHand(key: LogicalKey): KeyShards
}

export interface Rebalanced {
  readonly table: MovingTable
  /** Aborts when the client is destroyed. */
  readonly signal: AbortSignal
  readonly onFailed: (task: 'change-count', error: unknown) => void
  readonly shards: ScalingOptions
  readonly shardMap: ShardMap
}

export type OpenRebalancer = (rebalanced: Rebalanced) => Rebalancer

export function openRebalancer({ table, shards, shardMap, signal, onFailed }: Rebalanced): Rebalancer {
  const unitsPerSecond = shards.drainUnitsPerSecond
  const failed = (error: unknown) => onFailed('change-count', error)
  const drivers = new CountDrivers({
    table,
    shardMap,
    random: table.random,
    unitsPerSecond,
    signal,
    onFailed: failed,
  })
  const changer = new CountChanger(table, shardMap, drivers)
  const shrinker = new Shrinker({ table, shards, shardMap, changer, signal })
  return {
    firstStep: (state, to, epochSeconds) => drivers.firstStep(state, to, epochSeconds),
    begin: (key, state) => drivers.begin(key, state),
    noticed: (key, state, inUse) => {
      drivers.noticed(key, state)
      try {
        if (inUse !== undefined) requireOnePhaseApart(inUse, state)
      } catch (error) {
        // Other processes have not waited. The request at hand goes by what was read now, and is none the worse for it.
        failed(error)
      }
    },
    shrink: (key) => shrinker.shrink(key),
    byHand: (key) =>
      new KeyShards({ table: table.options.name, key, shardMap, changer, drivers, unitsPerSecond, signal }),
  }
}
