import type { Clock, Random } from '@isotherm/runtime'
import type { Emit, IsothermEvent, ThrottleScope } from '../events/event.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import { type PlacementKind, placementKindOf } from '../protocol/placement/placement-kind.js'
import type { ShardViews } from '../protocol/shard-map/shard-views.js'
import { MeanItemBytes } from '../queries/mean-item-bytes.js'
import type { RouteOfIndex } from '../queries/query-route.js'
import type { KeyCounts } from '../scaling/key-counts.js'
import type { KeyShards } from '../scaling/key-shards.js'
import { KeyHeat } from '../scaling/sensing/key-heat.js'
import { TableCapacityReader } from '../scaling/sensing/table-capacity.js'
import { type TableHeat, tableHeat } from '../scaling/sensing/table-heat.js'
import { TableThrottles } from '../scaling/sensing/table-throttles.js'
import { ThrottleSensor } from '../scaling/sensing/throttle-sensor.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import type { Throttle } from '../sdk/throttle.js'
import type { ParsedOptions, ShardedTable } from './parse-options.js'

/** One attempt to write that was refused. */
export interface RefusedAttempt {
  readonly key: LogicalKey
  readonly shard: number
  /** How many attempts of the call have been refused, with this one. */
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
  readonly placementKind: PlacementKind
  readonly emit: Emit
  readonly meanItemBytes = new MeanItemBytes()
  /** Where a query of an index goes, of a client that knows of indexes. */
  readonly routeOfIndex: RouteOfIndex | undefined
  /** Aborts when the client is destroyed. */
  readonly destroyed: AbortSignal
  readonly #heat: KeyHeat
  readonly #sensor: ThrottleSensor
  readonly #counts: KeyCounts
  readonly #tableThrottles: Pick<TableThrottles, 'throttled'>

  constructor(options: ShardedTable, client: PhysicalClient, shared: ParsedOptions, signal: AbortSignal) {
    const { clock, random, emit, parts } = shared
    this.options = options
    this.client = client
    this.destroyed = signal
    this.clock = clock
    this.random = random
    this.emit = emit
    this.routeOfIndex = parts.indexes?.routeOf
    this.suffix = new Suffix(options.name, options.delimiter, options.adopt)
    this.placementKind = placementKindOf(options)
    this.#heat = new KeyHeat(clock)
    const capacity = new TableCapacityReader(client, clock, options.name)
    this.#sensor = new ThrottleSensor(clock, capacity, (error) => this.#failed('describe-table', error))
    const teller = new TableThrottles(options.name, clock, emit)
    this.#tableThrottles =
      options.capacity?.open({ table: options.name, client, capacity, clock, emit, teller }) ?? teller
    this.#counts = options.shards.open({
      table: this,
      heat: this.#heat,
      signal,
      openRebalancer: parts.openRebalancer,
      openSharedStates: shared.openSharedStates,
      onFailed: (task, error) => this.#failed(task, error),
    })
    this.views = this.#counts.views
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

  /** One key's shards, by hand; `undefined` where people choose one count for all keys. */
  shards(key: LogicalKey): KeyShards | undefined {
    return this.#counts.byHand(key)
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
    if (scope === 'table') this.#tableThrottles.throttled(reasons)
    if (scope === 'partition') {
      // Once for each write: a key with one shard is refused at every retry, one with many shards at one of them.
      if (attempt === 1) this.#heat.throttled(key, units)
      this.#counts.throttled(key)
    }
    return scope
  }

  #failed(task: Extract<IsothermEvent, { type: 'failed' }>['task'], error: unknown): void {
    this.emit({ type: 'failed', table: this.options.name, task, error, at: this.clock.now() })
  }
}
