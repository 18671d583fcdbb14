import type { LogicalKey } from '../keys/key.js'
import { ShardMap } from '../protocol/shard-map/shard-map.js'
import { ShardMapStore } from '../protocol/shard-map/shard-map-store.js'
import type { ShardState } from '../protocol/states/shard-state.js'
import { CountChanger } from './count-changer.js'
import type { CountsOpening, KeyCounts } from './key-counts.js'
import type { KeyShards } from './key-shards.js'
import { QuietWatch } from './quiet-watch.js'
import type { Rebalancer } from './rebalancer.js'
import { Scaler } from './scaler.js'
import type { ScalingOptions } from './scaling-options.js'

/** The counts that the keys of a table find for themselves. */
export function openKeyScaling(opening: CountsOpening, shards: ScalingOptions): KeyCounts {
  return new KeyScaling(opening, shards)
}

/** The shard map of a table, and everything that changes the counts in it, put together once. */
class KeyScaling implements KeyCounts {
  readonly views: ShardMap
  readonly #scaler: Scaler
  readonly #rebalancer: Rebalancer | undefined
  readonly #quietWatch: QuietWatch | undefined

  constructor(opening: CountsOpening, shards: ScalingOptions) {
    const { heat, signal, onFailed } = opening
    const { clock, random, emit, options } = opening.table
    const store = new ShardMapStore(opening.table)
    const shardMap = this.#openShardMap(opening, shards, store)
    const table = { ...opening.table, views: shardMap }
    const rebalancer = opening.openRebalancer?.({ table, shards, shardMap, signal, onFailed })
    const changer = new CountChanger(table, shardMap, rebalancer)
    const failed = (error: unknown) => onFailed('scale', error)
    const both = { shards, store, heat, clock, random, signal, onFailed: failed }
    this.views = shardMap
    this.#rebalancer = rebalancer
    this.#scaler = new Scaler({ ...both, table: options.name, shardMap, changer, emit })
    const { quietMilliseconds } = shards
    if (quietMilliseconds === undefined) return
    this.#quietWatch = new QuietWatch({
      ...both,
      quietMilliseconds,
      readMilliseconds: options.cacheMilliseconds / 2,
      onQuiet: rebalancer && ((key) => rebalancer.shrink(key)),
    })
  }

  throttled(key: LogicalKey): void {
    this.#scaler.consider(key)
  }

  byHand(key: LogicalKey): KeyShards | undefined {
    return this.#rebalancer?.byHand(key)
  }

  #noticed(key: LogicalKey, state: ShardState, inUse: ShardState | undefined): void {
    this.#rebalancer?.noticed(key, state, inUse)
    this.#quietWatch?.noticed(key, state)
  }

  #openShardMap(opening: CountsOpening, { initial }: ScalingOptions, store: ShardMapStore): ShardMap {
    const { table, onFailed, openSharedStates } = opening
    const { clock, options, placementKind } = table
    const isRandom = placementKind === 'random'
    return new ShardMap({
      store,
      clock,
      initial,
      cacheMilliseconds: options.cacheMilliseconds,
      remembersMissing: isRandom,
      // The phases of a calculated key rest on no calendar, and the age of what processes share does.
      shared: isRandom
        ? openSharedStates?.({
            table: options,
            clock,
            onFailed: (error) => onFailed('second-level-cache', error),
          })
        : undefined,
      onRead: (key, state, inUse) => this.#noticed(key, state, inUse),
      onRefreshFailed: (error) => onFailed('refresh-shard-map', error),
    })
  }
}
