import { boundedClient } from '../attempts/bounded-client.js'
import type { LogicalKey } from '../keys/key.js'
import {
  type AtRest,
  type MovingTable,
  requireOnePhaseApart,
  type ShardMap,
  type ShardMapStore,
  type ShardState,
  type TableCards,
  type Unfinished,
} from '../protocol/index.js'
import { MoveCostReader } from './coming-down/move-costs.js'
import { CountChanger } from './count-changer.js'
import { CountDrivers } from './count-drivers.js'
import { KeyShards } from './key-shards.js'
import type { Migratable } from './migratable.js'
import type { ScalingOptions } from './scaling-options.js'
import { Shrinker } from './shrinker.js'

/**
 * Changes shard counts beyond growth: removes shards, moves items, and completes changes, including those that another
 * process has abandoned.
 */
export interface Rebalancer {
  /** The first state of a change. */
  firstStep(state: AtRest, to: number, epochSeconds: number): ShardState
  /** Continues the change in the background, from a state that this process has just written. */
  begin(key: LogicalKey, state: Unfinished): void
  /**
   * Handles a read of the shard map for a key in use.
   * @param inUse the earlier state, which requests of this process still used
   */
  noticed(key: LogicalKey, state: ShardState, inUse: ShardState | undefined): void
  /** Lowers the shard count of a key that no process found busy for its whole quiet period, if that pays. */
  shrink(key: LogicalKey): Promise<void>
  /** Manual control of one key's shards. */
  byHand(key: LogicalKey): KeyShards
  /** Missing for indexes. */
  readonly migratable: Migratable | undefined
}

export interface Rebalanced {
  readonly table: MovingTable
  /** Aborts when the client is destroyed. */
  readonly signal: AbortSignal
  readonly onFailed: (task: 'change-count', error: unknown) => void
  readonly shards: ScalingOptions
  readonly shardMap: ShardMap
  readonly cards: TableCards | undefined
  /** The shard map, where processes record what they read. */
  readonly store: Pick<ShardMapStore, 'sign'>
}

export type OpenRebalancer = (rebalanced: Rebalanced) => Rebalancer

export function openRebalancer({
  table,
  shards,
  shardMap,
  cards,
  store,
  signal,
  onFailed,
}: Rebalanced): Rebalancer {
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
  // Nobody waits for the decision to shrink a key, so nobody would notice that one of its requests hangs.
  const bounded = { ...table, client: boundedClient(table.client, table.clock) }
  const changer = new CountChanger(bounded, shardMap, drivers)
  const costs = new MoveCostReader(bounded)
  const shrinker = new Shrinker({ table: bounded, shards, shardMap, cards, store, changer, costs, signal })
  const byHand = (key: LogicalKey) =>
    new KeyShards({ table, costs, key, shardMap, changer, drivers, unitsPerSecond, signal })
  return {
    firstStep: (state, to, epochSeconds) => drivers.firstStep(state, to, epochSeconds),
    begin: (key, state) => drivers.begin(key, state),
    noticed: (key, state, inUse) => {
      drivers.noticed(key, state)
      try {
        if (inUse !== undefined) requireOnePhaseApart(inUse, state)
      } catch (error) {
        // Other processes did not wait between phases. The current request is unaffected: it uses the state just read.
        failed(error)
      }
    },
    shrink: (key) => shrinker.shrink(key),
    byHand,
    migratable: cards && { table, cards, shardMap, costs, unitsPerSecond, signal, shardsOf: byHand },
  }
}
