import type { ShardedTableOptions } from 'isotherm'
import { AppendLog } from '../workloads/append-log.js'
import { flashCrowd, hotKeyRamp, movingHotSpot, type Profile, steadyZipf } from '../workloads/profile.js'
import type { Workload, WorkloadTable } from '../workloads/workload.js'
import type { Library } from '../world/library.js'
import type { World } from '../world/world.js'
import type { Settings, WorkloadName } from './settings.js'

const PROFILES: Readonly<Record<WorkloadName, () => Profile>> = {
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
  const profile = PROFILES[settings.workload]()
  return new AppendLog(world, {
    table: logTable(library, settings, profile),
    profile,
    writesPerSecond: settings.writesPerSecond,
    readsPerSecond: settings.readsPerSecond,
    processes: settings.processes,
    runMilliseconds: settings.runMilliseconds,
    itemBytes: settings.itemBytes,
    batch: settings.workload === 'bulk-import' ? BATCH : 1,
    staleMilliseconds: staleMilliseconds(settings),
  })
}

function logTable(library: Library, settings: Settings, profile: Profile): WorkloadTable {
  const cold = Array.from({ length: profile.coldKeys }, (_, index) => `key${index + 1}`)
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
    neighbours: cold,
  }
}

function shardedOptions(
  library: Library,
  { table }: Settings,
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
        }),
  }
}

/** A cached count may be so old, and a replica so far behind; clocks differ a little, and requests take their time. */
function staleMilliseconds({ table, engine, faults }: Settings): number {
  return (
    table.cacheMilliseconds * (1 + 2 * faults.drift) +
    engine.readLagMilliseconds +
    faults.latestMilliseconds +
    1_000
  )
}
