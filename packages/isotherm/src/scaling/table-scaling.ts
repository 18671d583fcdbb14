import type { IsothermEvent, ThrottleScope } from '../events/event.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import type { ShardedTable } from '../options/sharded-table.js'
import type { OpenSharedStates } from '../protocol/second-level-cache/shared-states.js'
import type { ShardViews } from '../protocol/shard-map/shard-views.js'
import type { KeyCounts, OpenKeyCounts } from './key-counts.js'
import type { KeyShards } from './key-shards.js'
import type { WriteCapacityRaise } from './raise-write-capacity.js'
import type { OpenRebalancer } from './rebalancer.js'
import type { ScaledTable } from './scaled-table.js'
import { KeyHeat } from './sensing/key-heat.js'
import { TableCapacityReader } from './sensing/table-capacity.js'
import { type TableHeat, tableHeat } from './sensing/table-heat.js'
import { TableThrottles } from './sensing/table-throttles.js'
import { ThrottleSensor } from './sensing/throttle-sensor.js'
import type { RefusedAttempt, WriteHeat } from './write-heat.js'

/** A table and how its options have it scaled. */
interface TableToScale extends ScaledTable {
  readonly options: ShardedTable & {
    readonly shards: { readonly open: OpenKeyCounts }
    readonly capacity: WriteCapacityRaise | undefined
  }
}

export interface TableScalingOptions {
  readonly openRebalancer: OpenRebalancer | undefined
  readonly openSharedStates: OpenSharedStates | undefined
  /** Aborts when the client is destroyed. */
  readonly destroyed: AbortSignal
}

/** The control loop of one table, put together once: what is seen of its writes, and what follows from it. */
export class TableScaling implements WriteHeat {
  readonly #table: ScaledTable
  readonly #heat: KeyHeat
  readonly #sensor: ThrottleSensor
  readonly #tableThrottles: Pick<TableThrottles, 'throttled'>
  readonly #counts: KeyCounts

  constructor(table: TableToScale, { openRebalancer, openSharedStates, destroyed }: TableScalingOptions) {
    const { client, clock, emit, options } = table
    const { name } = options
    this.#table = table
    this.#heat = new KeyHeat(clock)
    const capacity = new TableCapacityReader(client, clock, name)
    this.#sensor = new ThrottleSensor(clock, capacity, (error) => this.#failed('describe-table', error))
    const teller = new TableThrottles(name, clock, emit)
    this.#tableThrottles =
      options.capacity?.open({ table: name, client, capacity, clock, emit, teller }) ?? teller
    this.#counts = options.shards.open({
      table,
      heat: this.#heat,
      signal: destroyed,
      openRebalancer,
      openSharedStates,
      onFailed: (task, error) => this.#failed(task, error),
    })
  }

  get views(): ShardViews {
    return this.#counts.views
  }

  offered(key: LogicalKey, units: number): void {
    this.#heat.offered(key, units)
  }

  accepted(key: LogicalKey, units: number): void {
    this.#heat.accepted(key, units)
    this.#sensor.accepted(units)
  }

  async throttled({ key, shard, attempt, units, throttle }: RefusedAttempt): Promise<ThrottleScope> {
    const { clock, emit, options } = this.#table
    const { reasons } = throttle
    const scope = await this.#sensor.scope(reasons)
    const logicalKey = plainKey(key)
    const at = clock.now()
    emit({ type: 'throttled', table: options.name, logicalKey, shard, attempt, scope, reasons, at })
    if (scope === 'table') this.#tableThrottles.throttled(reasons)
    if (scope === 'partition') {
      // Once for each write: a key with one shard is refused at every retry, one with many shards at one of them.
      if (attempt === 1) this.#heat.throttled(key, units)
      this.#counts.throttled(key)
    }
    return scope
  }

  /** The `top` hottest keys, as seen up to now. */
  hottest(top: number): TableHeat {
    const { options, clock } = this.#table
    const shardsOf = (key: LogicalKey) => this.views.known(key)
    return tableHeat({ table: options.name, heat: this.#heat, shardsOf, at: clock.now() }, top)
  }

  /** One key's shards, by hand; `undefined` where people choose one count for all keys. */
  byHand(key: LogicalKey): KeyShards | undefined {
    return this.#counts.byHand(key)
  }

  #failed(task: Extract<IsothermEvent, { type: 'failed' }>['task'], error: unknown): void {
    const { clock, emit, options } = this.#table
    emit({ type: 'failed', table: options.name, task, error, at: clock.now() })
  }
}
