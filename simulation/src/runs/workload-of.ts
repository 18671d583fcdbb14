import type { ShardedTableOptions } from 'isotherm'
import { AppendLog } from '../workloads/append-log.js'
import { Counters } from '../workloads/counters.js'
import { flashCrowd, hotKeyRamp, movingHotSpot, type Profile, steadyZipf } from '../workloads/profile.js'
import { SharedItems } from '../workloads/shared-items.js'
import type { Workload, WorkloadTable } from '../workloads/workload.js'
import type { Library } from '../world/library.js'
import type { World } from '../world/world.js'
import type { Settings, WorkloadName } from './settings.js'

const PROFILES: Readonly<Partial<Record<WorkloadName, (coldShare: number) => Profile>>> = {
  'hot-key-ramp': hotKeyRamp,
  'flash-crowd': flashCrowd,
  'moving-hot-spot': movingHotSpot,
  'steady-zipf': steadyZipf,
  'bulk-import': steadyZipf,
}

/** Items in one batch of an import. */
const BATCH = 10

/** The workload that the settings ask for, in this world. */
export function workloadOf(world: World, library: Library, settings: Settings): Workload {
  const { workload, processes, faults } = settings
  if (workload === 'shared-items') {
    return new SharedItems(world, {
      table: ordersTable(library, settings),
      operationsPerSecond: settings.writesPerSecond,
      processes,
      keys: settings.keys,
      itemsPerKey: settings.itemsPerKey,
      latestMilliseconds: faults.latestMilliseconds,
    })
  }
  if (workload === 'counters') {
    return new Counters(world, {
      table: ordersTable(library, settings),
      countsPerSecond: settings.writesPerSecond,
      processes,
      counters: settings.itemsPerKey,
    })
  }
  const profile = (PROFILES[workload] ?? steadyZipf)(coldShare(settings))
  return new AppendLog(world, {
    table: logTable(library, settings),
    profile,
    writesPerSecond: settings.writesPerSecond,
    readsPerSecond: settings.readsPerSecond,
    processes: settings.processes,
    runMilliseconds: settings.runMilliseconds,
    itemBytes: settings.itemBytes,
    batch: settings.workload === 'bulk-import' ? BATCH : 1,
    staleMilliseconds: staleMilliseconds(settings),
    partitionUnits: settings.engine.partitionWriteUnits,
  })
}

function logTable(library: Library, settings: Settings): WorkloadTable {
  return {
    name: 'log',
    partitionKey: 'file_path',
    sortKey: 'accessed_at',
    sortType: settings.table.sortType,
    sharded: {
      partitionKey: 'file_path',
      sortKey: 'accessed_at',
      suffix: 'random',
      ...shardedOptions(library, settings),
    },
    operated: ['key0'],
  }
}

function ordersTable(library: Library, settings: Settings): WorkloadTable {
  return {
    name: 'orders',
    partitionKey: 'customer',
    sortKey: 'order_id',
    sortType: 'S',
    sharded: {
      partitionKey: 'customer',
      sortKey: 'order_id',
      suffix: 'calculated',
      ...shardedOptions(library, settings),
    },
    operated:
      settings.workload === 'counters'
        ? ['campaign']
        : Array.from({ length: settings.keys }, (_, index) => `customer${index}`),
  }
}

function shardedOptions(
  library: Library,
  { table, engine }: Settings,
): Pick<ShardedTableOptions, 'shards' | 'adopt' | 'cacheTtl' | 'lateRequests'> {
  const policies = {
    proportional: () => library.proportional(),
    doubling: () => library.doubling(),
    increment: () => library.incrementBy(1),
  }
  return {
    adopt: table.adopt,
    cacheTtl: table.cacheMilliseconds,
    lateRequests: table.lateMilliseconds,
    shards: table.isFixed
      ? library.fixedShards(table.initialShards)
      : library.dynamicShards({
          initial: table.initialShards,
          max: table.maxShards,
          cooldown: table.cooldownMilliseconds,
          jitter: [...table.jitterMilliseconds],
          policy: policies[table.policy](),
          partitionUnitsPerSecond: engine.partitionWriteUnits,
          drainUnitsPerSecond: table.drainUnitsPerSecond,
          quiet: table.quiet ? '1m' : false,
        }),
  }
}

/** Cold keys get next to nothing of what one partition takes, together. */
function coldShare({ engine, itemBytes, writesPerSecond }: Settings): number {
  const units = Math.ceil((itemBytes + 100) / 1_024)
  return Math.min(0.03, (COLD_SHARE_OF_PARTITION * engine.partitionWriteUnits) / units / writesPerSecond)
}

const COLD_SHARE_OF_PARTITION = 0.04

/** A cached count may be so old, and a replica so far behind; clocks differ a little, and requests take their time. */
function staleMilliseconds({ table, engine, faults }: Settings): number {
  return (
    table.cacheMilliseconds * (1 + 2 * faults.drift) +
    engine.readLagMilliseconds +
    faults.latestMilliseconds +
    1_000
  )
}
