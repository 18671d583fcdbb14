import type { IsothermEvent } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import type { MovingTable } from '../moves/moving-table.js'
import type { DynamicShards } from '../options/shards.js'
import type { KeyHeat } from '../sensing/key-heat.js'
import type { ShardMap } from '../shard-map/shard-map.js'
import type { ShardMapStore } from '../shard-map/shard-map-store.js'
import type { ShardState } from '../shard-map/shard-state.js'
import { CountChanger } from './count-changer.js'
import { CountDrivers } from './count-drivers.js'
import { KeyShards } from './key-shards.js'
import { Scaler } from './scaler.js'
import { Shrinker } from './shrinker.js'

type Task = Extract<IsothermEvent, { type: 'failed' }>['task']

export interface KeyScalingOptions {
  readonly table: MovingTable
  readonly shards: DynamicShards
  readonly shardMap: ShardMap
  readonly store: ShardMapStore
  readonly heat: KeyHeat
  readonly signal: AbortSignal
  readonly onFailed: (task: Task, error: unknown) => void
}

/** Everything that changes the counts of a table's keys, put together once. */
export class KeyScaling {
  readonly #options: KeyScalingOptions
  readonly #scaler: Scaler
  readonly #shrinker: Shrinker | undefined
  readonly #drivers: CountDrivers
  readonly #changer: CountChanger

  constructor(options: KeyScalingOptions) {
    const { table, shards, shardMap, store, heat, signal, onFailed } = options
    const { clock, random, emit } = table
    this.#options = options
    this.#drivers = new CountDrivers({
      table,
      shardMap,
      random,
      unitsPerSecond: shards.drainUnitsPerSecond,
      signal,
      onFailed: (error) => onFailed('change-count', error),
    })
    this.#changer = new CountChanger(table, shardMap, this.#drivers)
    const changer = this.#changer
    const both = { shards, shardMap, store, changer, heat, clock, random, signal }
    this.#scaler = new Scaler({ ...both, table: table.options.name, emit })
    const { quietMilliseconds } = shards
    if (quietMilliseconds === undefined) return
    this.#shrinker = new Shrinker({
      ...both,
      quietMilliseconds,
      readMilliseconds: table.options.cacheMilliseconds / 2,
      onFailed: (error) => onFailed('scale', error),
    })
  }

  /** The key was throttled by its partition. */
  throttled(key: LogicalKey): void {
    this.#scaler.consider(key)
  }

  /** The shard map was read for a key that is used. */
  noticed(key: LogicalKey, state: ShardState): void {
    this.#drivers.noticed(key, state)
    this.#shrinker?.noticed(key, state)
  }

  /** One key's shards, by hand. */
  byHand(key: LogicalKey): KeyShards {
    const { table, shards, shardMap, signal } = this.#options
    const unitsPerSecond = shards.drainUnitsPerSecond
    return new KeyShards({
      table: table.options.name,
      key,
      shardMap,
      changer: this.#changer,
      drivers: this.#drivers,
      unitsPerSecond,
      signal,
    })
  }
}
