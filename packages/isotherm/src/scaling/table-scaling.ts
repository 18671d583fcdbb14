import { boundedClient } from '../attempts/bounded-client.js'
import type { Access, IsothermEvent } from '../events/event.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import type { ShardedTable } from '../options/sharded-table.js'
import type { OpenSharedStates, ShardViews } from '../protocol/index.js'
import type { CapacityRaise, TableThrottleHandler } from './capacity-raise.js'
import type { KeyCounts, OpenKeyCounts, ScaledTable } from './key-counts.js'
import type { KeyShards } from './key-shards.js'
import type { ReadHeat } from './read-heat.js'
import { openReadSensing } from './read-sensing.js'
import type { OpenRebalancer } from './rebalancer.js'
import { KeyHeat } from './sensing/key-heat.js'
import { TableCapacityReader } from './sensing/table-capacity.js'
import { type TableHeat, tableHeat } from './sensing/table-heat.js'
import { TableThrottles } from './sensing/table-throttles.js'
import type { TableMetrics } from './sensing/table-usage.js'
import { TableUsageReader } from './sensing/table-usage-reader.js'
import { ThrottleSensor } from './sensing/throttle-sensor.js'
import type { WriteHeat } from './write-heat.js'

/** A table, and its options for scaling. */
interface TableToScale extends ScaledTable {
  readonly options: ShardedTable & {
    readonly shards: { readonly open: OpenKeyCounts }
    readonly capacity: readonly CapacityRaise[]
  }
}

export interface TableScalingOptions {
  readonly openRebalancer: OpenRebalancer | undefined
  readonly openSharedStates: OpenSharedStates | undefined
  /** `undefined` if the application gave none. */
  readonly tableMetrics: TableMetrics | undefined
  /** Aborts when the client is destroyed. */
  readonly destroyed: AbortSignal
}

/** The control loop of one table: it observes the table's reads and writes, and scales its keys. */
export interface TableScaling extends WriteHeat {
  readonly views: ShardViews
  readonly reads: ReadHeat
  /** The `top` hottest keys. */
  hottest(top: number): TableHeat
  /** Manual control of one key's shards. `undefined` when all keys have the same fixed count. */
  byHand(key: LogicalKey): KeyShards | undefined
  readonly migratable: KeyCounts['migratable']
}

export function openScaling(
  table: TableToScale,
  { openRebalancer, openSharedStates, tableMetrics, destroyed }: TableScalingOptions,
): TableScaling {
  const { client, clock, emit, options } = table
  const { name, shards } = options
  const onFailed = (task: Extract<IsothermEvent, { type: 'failed' }>['task'], error: unknown) =>
    emit({ type: 'failed', table: name, task, error, at: clock.now() })
  const heat = new KeyHeat(clock)
  // Throttled requests wait for a description of the table, so it must not hang.
  const bounded = boundedClient(client, clock)
  const capacity = new TableCapacityReader(bounded, clock, name)
  const onDescribeFailed = (error: unknown) => onFailed('describe-table', error)
  const sensorOf = (access: Access) => {
    const onMetricsFailed = (error: unknown) => onFailed('table-metrics', error)
    const usage =
      tableMetrics &&
      new TableUsageReader({ table: name, access, metrics: tableMetrics, clock, onFailed: onMetricsFailed })
    return new ThrottleSensor({ access, capacity, usage, onDescribeFailed })
  }
  const sensor = sensorOf('write')
  const teller = new TableThrottles(name, clock, emit)
  const [raise] = options.capacity
  const opening = { table: name, client: bounded, capacity, clock, emit, teller }
  const tableThrottles: TableThrottleHandler = raise?.open(options.capacity, opening) ?? teller
  const reads = openReadSensing({
    table: name,
    clock,
    emit,
    sensor: sensorOf('read'),
    tableThrottles,
    onSpreadThrottled: (key, throttle) => counts.readThrottled?.(key, throttle),
  })
  const counts = shards.open({
    table,
    hasCard: true,
    heat,
    readHeat: () => reads.heat,
    signal: destroyed,
    openRebalancer,
    openSharedStates,
    onFailed,
  })
  const { views } = counts
  return {
    views,
    reads,
    offered: (key, units) => heat.offered(key, units),
    accepted: (key, units) => heat.accepted(key, units),
    throttled: async ({ key, shard, attempt, units, item, reasons }) => {
      const scope = await sensor.scope(reasons)
      const at = clock.now()
      const logicalKey = plainKey(key)
      emit({
        type: 'throttled',
        table: name,
        logicalKey,
        shard,
        attempt,
        scope,
        reasons,
        access: 'write',
        at,
      })
      if (scope === 'table') tableThrottles.throttled(reasons, 'write')
      if (scope === 'partition' || scope === 'unknown') {
        if (attempt === 1) heat.throttled(key, units)
        counts.throttled(key, { scope, units, attempt, item })
      }
      return scope
    },
    hottest: (top) =>
      tableHeat(
        { table: name, heat, reads: reads.heat, shardsOf: (key) => views.known(key), at: clock.now() },
        top,
      ),
    byHand: (key) => counts.byHand(key),
    migratable: counts.migratable,
  }
}
