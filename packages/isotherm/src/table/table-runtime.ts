import type { Clock, Random } from '@isotherm/runtime'
import { IsothermError } from '../errors/isotherm-error.js'
import type { Emit, IsothermEvent, ThrottleScope } from '../events/event.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import { type TableHeat, tableHeat } from '../observability/table-heat.js'
import type { ParsedOptions, ShardedTable } from '../options/parse-options.js'
import type { DynamicShards } from '../options/shards.js'
import { type Placement, placementOf } from '../placement/placement.js'
import { CapacityRaiser } from '../scaling/capacity-raiser.js'
import { KeyScaling } from '../scaling/key-scaling.js'
import type { KeyShards } from '../scaling/key-shards.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import type { SecondLevelCache } from '../second-level-cache/second-level-cache-options.js'
import { SharedStates } from '../second-level-cache/shared-states.js'
import { KeyHeat } from '../sensing/key-heat.js'
import { TableCapacityReader } from '../sensing/table-capacity.js'
import type { Throttle } from '../sensing/throttle.js'
import { ThrottleSensor } from '../sensing/throttle-sensor.js'
import { ShardMap } from '../shard-map/shard-map.js'
import { ShardMapStore } from '../shard-map/shard-map-store.js'
import { fixedViews, type ShardViews } from '../shard-map/shard-views.js'
import { MeanItemBytes } from './mean-item-bytes.js'

/** One attempt to write that was refused. */
export interface RefusedAttempt {
  readonly key: LogicalKey
  readonly shard: number
  readonly attempt: number
  readonly units: number
  readonly throttle: Pick<Throttle, 'reasons'>
}

/** Everything that one sharded table needs, put together once. */
export class TableRuntime {
  readonly options: ShardedTable
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  readonly suffix: Suffix
  readonly views: ShardViews
  readonly placement: Placement
  readonly emit: Emit
  readonly meanItemBytes = new MeanItemBytes()
  /** Aborts when the client is destroyed. */
  readonly destroyed: AbortSignal
  readonly #heat: KeyHeat
  readonly #sensor: ThrottleSensor
  readonly #scaling: KeyScaling | undefined
  readonly #raiser: CapacityRaiser

  constructor(options: ShardedTable, client: PhysicalClient, shared: ParsedOptions, signal: AbortSignal) {
    const { clock, random, emit } = shared
    this.options = options
    this.client = client
    this.destroyed = signal
    this.clock = clock
    this.random = random
    this.emit = emit
    this.suffix = new Suffix(options.name, options.delimiter, options.adopt)
    this.placement = placementOf(options)
    this.#heat = new KeyHeat(clock)
    const capacity = new TableCapacityReader(client, clock, options.name)
    this.#sensor = new ThrottleSensor(clock, capacity, (error) => this.#failed('describe-table', error))
    this.#raiser = new CapacityRaiser({
      table: options.name,
      raise: options.capacity,
      client,
      capacity,
      clock,
      emit,
    })
    if (options.shards.kind === 'fixed') {
      this.views = fixedViews(options.shards)
      return
    }
    const store = new ShardMapStore(this)
    const shardMap = this.#openShardMap(store, options.shards, shared.secondLevel)
    this.views = shardMap
    this.#scaling = new KeyScaling({
      table: this,
      shards: options.shards,
      shardMap,
      store,
      heat: this.#heat,
      signal,
      onFailed: (task, error) => this.#failed(task, error),
    })
  }

  offered(key: LogicalKey, units: number): void {
    this.#heat.offered(key, units)
  }

  accepted(key: LogicalKey, units: number): void {
    this.#heat.accepted(key, units)
    this.#sensor.accepted(units)
  }

  /** The `top` hottest keys, as seen up to now. */
  hottest(top: number): TableHeat {
    const shardsOf = (key: LogicalKey) => this.views.known(key)
    return tableHeat({ table: this.options.name, heat: this.#heat, shardsOf, at: this.clock.now() }, top)
  }

  /**
   * One key's shards, by hand.
   * @throws IsothermError `shards.fixed` where people choose one count for all keys
   */
  shards(key: LogicalKey): KeyShards {
    if (this.#scaling !== undefined) return this.#scaling.byHand(key)
    const { name } = this.options
    throw new IsothermError(
      'shards.fixed',
      `The table ${name} has fixedShards, one count for all keys, which is changed in the options. Give it dynamicShards({ ... }) to have a count for each key.`,
      { table: name },
    )
  }

  /** Takes note of a throttle and sets in motion what it calls for. @returns where it came from */
  async throttled({ key, shard, attempt, units, throttle }: RefusedAttempt): Promise<ThrottleScope> {
    const { reasons } = throttle
    const scope = await this.#sensor.scope(reasons)
    const logicalKey = plainKey(key)
    const at = this.clock.now()
    this.emit({
      type: 'throttled',
      table: this.options.name,
      logicalKey,
      shard,
      attempt,
      scope,
      reasons,
      at,
    })
    if (scope === 'table') this.#raiser.tableThrottled(reasons)
    if (scope === 'partition') {
      // Once for each write: a key with one shard is refused at every retry, one with many shards at one of them.
      if (attempt === 1) this.#heat.throttled(key, units)
      this.#scaling?.throttled(key)
    }
    return scope
  }

  #openShardMap(
    store: ShardMapStore,
    { initial }: DynamicShards,
    secondLevel: SecondLevelCache | undefined,
  ): ShardMap {
    const { clock, options, placement } = this
    const onFailed = (error: unknown) => this.#failed('second-level-cache', error)
    // The phases of a calculated key rest on no calendar, and the age of what processes share does.
    const shares = secondLevel !== undefined && placement.kind === 'random'
    return new ShardMap({
      store,
      clock,
      initial,
      cacheMilliseconds: options.cacheMilliseconds,
      remembersMissing: placement.kind === 'random',
      shared: shares ? new SharedStates({ table: options, secondLevel, clock, onFailed }) : undefined,
      onRead: (key, state) => this.#scaling?.noticed(key, state),
      onRefreshFailed: (error) => this.#failed('refresh-shard-map', error),
    })
  }

  #failed(task: Extract<IsothermEvent, { type: 'failed' }>['task'], error: unknown): void {
    this.emit({ type: 'failed', table: this.options.name, task, error, at: this.clock.now() })
  }
}
