import { AppendLog } from '../workloads/append-log.js'
import { CounterWorkload } from '../workloads/counter-workload.js'
import { Counters } from '../workloads/counters.js'
import { IndexedItems, STATUS_INDEX } from '../workloads/indexed-items.js'
import { KeptAppends } from '../workloads/kept-appends.js'
import { FOLDERS, LargeItems } from '../workloads/large-items.js'
import { flashCrowd, hotKeyRamp, movingHotSpot, type Profile, steadyZipf } from '../workloads/profile.js'
import { ROTATED_NAMES, RotatedLog } from '../workloads/rotated-log.js'
import { SEARCH_INDEX, Search, SPREAD_INDEX } from '../workloads/search.js'
import { SharedItems } from '../workloads/shared-items.js'
import { Transfers } from '../workloads/transfers.js'
import { firstVouchers, UNUSED_INDEX, VoucherPool } from '../workloads/voucher-pool.js'
import { firstJobs, PENDING_INDEX, WorkQueue } from '../workloads/work-queue.js'
import type { Workload } from '../workloads/workload.js'
import type { Library } from '../world/library.js'
import { chanceFor } from '../world/seeds.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import type { Settings, WorkloadName } from './settings.js'
import { calculatedTable, numbered, randomTable } from './workload-tables.js'

type Make = (world: World, library: Library, settings: Settings) => Workload

/** Items in one batch of an import. */
const BATCH = 10

/** Keys of a log whose counts operators change, at most. */
const MOST_OPERATED = 3

const MAKERS: Readonly<Record<WorkloadName, Make>> = {
  'hot-key-ramp': logOf(hotKeyRamp),
  'flash-crowd': logOf(flashCrowd),
  'moving-hot-spot': logOf(movingHotSpot),
  'steady-zipf': logOf(steadyZipf),
  'bulk-import': logOf(steadyZipf, { batch: BATCH }),
  rotation: logOf(movingHotSpot, { batch: 2, periods: true }),
  'kept-appends': (world, library, settings) => {
    const logs = numbered('key', settings.keys)
    return new KeptAppends(world, {
      table: logTable(library, settings, 'log', logs),
      operationsPerSecond: settings.writesPerSecond,
      queriesPerSecond: settings.readsPerSecond,
      processes: settings.processes,
      logs,
      itemsPerLog: settings.itemsPerKey,
      latestMilliseconds: settings.faults.latestMilliseconds,
    })
  },
  'shared-items': (world, library, settings) =>
    new SharedItems(world, {
      table: ordersTable(library, settings, numbered('customer', settings.keys)),
      operationsPerSecond: settings.writesPerSecond,
      queriesPerSecond: settings.readsPerSecond,
      processes: settings.processes,
      keys: settings.keys,
      itemsPerKey: settings.itemsPerKey,
      latestMilliseconds: settings.faults.latestMilliseconds,
    }),
  counters: (world, library, settings) =>
    new Counters(world, {
      table: ordersTable(library, settings, ['campaign']),
      countsPerSecond: settings.writesPerSecond,
      readsPerSecond: settings.readsPerSecond,
      processes: settings.processes,
      counters: settings.itemsPerKey,
    }),
  counter: (world, library, settings) => {
    const counters = numbered('campaign', settings.keys)
    return new CounterWorkload(world, library, {
      table: calculatedTable(library, settings, {
        name: 'counters',
        partitionKey: 'id',
        sortKey: 'part',
        operated: counters,
      }),
      // A count with a token takes four units.
      countsPerSecond: settings.writesPerSecond / 5,
      readsPerSecond: settings.readsPerSecond,
      processes: settings.processes,
      counters,
    })
  },
  transfers: (world, library, settings) =>
    new Transfers(world, {
      table: calculatedTable(library, settings, {
        name: 'accounts',
        partitionKey: 'branch',
        sortKey: 'account',
        operated: numbered('branch', settings.keys),
      }),
      transfersPerSecond: settings.writesPerSecond / 2,
      readsPerSecond: settings.readsPerSecond,
      processes: settings.processes,
      branches: settings.keys,
      accountsPerBranch: settings.itemsPerKey,
    }),
  'indexed-items': (world, library, settings) =>
    new IndexedItems(world, {
      table: calculatedTable(
        library,
        settings,
        {
          name: 'files',
          partitionKey: 'folder',
          sortKey: 'file',
          operated: numbered('folder', settings.keys),
        },
        [{ name: STATUS_INDEX, partitionKey: 'status', sortKey: 'changed_at' }],
      ),
      writesPerSecond: settings.writesPerSecond,
      readsPerSecond: settings.readsPerSecond,
      processes: settings.processes,
      folders: settings.keys,
      filesPerFolder: settings.itemsPerKey,
      latestMilliseconds: settings.faults.latestMilliseconds,
      staleMilliseconds: staleIndexMilliseconds(settings),
      isFixed: settings.table.isFixed,
      countMilliseconds: settings.index.isDynamic ? settings.operatorMilliseconds : Number.POSITIVE_INFINITY,
    }),
  queue: (world, library, settings) => {
    const tenants = numbered('tenant', settings.keys)
    const jobs = { name: 'jobs', partitionKey: 'id', sortKey: 'part', operated: firstJobs(settings.keys) }
    return new WorkQueue(world, library, {
      jobs: calculatedTable(library, settings, jobs, [
        { name: PENDING_INDEX, partitionKey: 'pending', sortKey: 'due' },
      ]),
      ledger: calculatedTable(library, settings, {
        name: 'ledger',
        partitionKey: 'tenant',
        sortKey: 'entry',
        operated: tenants,
      }),
      jobsPerSecond: settings.writesPerSecond / 10,
      processes: settings.processes,
      tenants,
    })
  },
  pool: (world, library, settings) => {
    const vouchers = {
      name: 'vouchers',
      partitionKey: 'code',
      sortKey: 'part',
      operated: firstVouchers(settings.keys),
    }
    return new VoucherPool(world, library, {
      table: calculatedTable(library, settings, vouchers, [
        { name: UNUSED_INDEX, partitionKey: 'unused', sortKey: 'place' },
      ]),
      operationsPerSecond: settings.writesPerSecond,
      processes: settings.processes,
      campaigns: numbered('campaign', settings.keys),
    })
  },
  search: (world, library, settings) => {
    const operated = numbered('tenant', settings.keys).map((tenant) => `${tenant}#contact0`)
    const contacts = { name: 'contacts', partitionKey: 'ID', sortKey: 'DataType', operated }
    const jobs = { name: 'jobs', partitionKey: 'id', sortKey: 'part', operated: firstJobs(1) }
    return new Search(world, library, {
      contacts: calculatedTable(library, settings, contacts, [
        { name: SEARCH_INDEX, partitionKey: 'SearchType', sortKey: 'SearchValue', sortType: 'S' },
      ]),
      jobs: calculatedTable(library, settings, jobs, [
        { name: SPREAD_INDEX, partitionKey: 'pending', sortKey: 'due' },
      ]),
      // A new contact is eight items in one transaction.
      changesPerSecond: settings.writesPerSecond / 6,
      readsPerSecond: settings.readsPerSecond,
      processes: settings.processes,
      tenants: settings.keys,
      contactsPerTenant: settings.itemsPerKey,
      latestMilliseconds: settings.faults.latestMilliseconds,
      staleMilliseconds: staleIndexMilliseconds(settings),
      isLate: settings.faults.lateRequests > 0,
    })
  },
  large: (world, library, settings) =>
    new LargeItems(world, {
      table: calculatedTable(library, settings, {
        name: 'documents',
        partitionKey: 'folder',
        sortKey: 'file',
        operated: numbered('folder', Math.min(FOLDERS, settings.itemsPerKey)),
      }),
      large: library.large,
      // A put is seven requests, and more with what it replaces.
      operationsPerSecond: settings.writesPerSecond / 4,
      processes: settings.processes,
      documents: settings.itemsPerKey,
      compression: settings.itemBytes < 1_000 ? 'gzip' : 'none',
      latestMilliseconds: settings.faults.latestMilliseconds,
      isTimely: isTimely(settings),
    }),
}

/** Nothing lasts so long that a put's time is over while one of its requests is under way. */
function isTimely({ faults }: Settings): boolean {
  return (
    !Number.isFinite(faults.pauseIntervalMilliseconds) && !Number.isFinite(faults.jumpIntervalMilliseconds)
  )
}

/** The workload that the settings ask for, in this world. */
export function workloadOf(world: World, library: Library, settings: Settings): Workload {
  return MAKERS[settings.workload](world, library, settings)
}

function logOf(
  profile: (coldShare: number) => Profile,
  { batch = 1, periods = false }: { readonly batch?: number; readonly periods?: boolean } = {},
): Make {
  return (world, library, settings) => {
    const chosen = profile(coldShare(settings))
    // Neighbours of a hot key have the count that they began with, so nobody may change it.
    const operated = chosen.hasColdKeys ? ['key0'] : numbered('key', MOST_OPERATED)
    const table = (name: string) => logTable(library, settings, name, operated)
    return new AppendLog(world, {
      ...(periods ? twoPeriods(world, library, table, settings) : { tables: [table('log')] as const }),
      profile: chosen,
      writesPerSecond: settings.writesPerSecond,
      readsPerSecond: settings.readsPerSecond,
      plainShare: settings.plainShare,
      processes: settings.processes,
      runMilliseconds: settings.runMilliseconds,
      itemBytes: settings.itemBytes,
      batch,
      mixesKeys: settings.batchesMixKeys,
      staleMilliseconds: staleMilliseconds(settings),
      partitionUnits: settings.engine.partitionWriteUnits,
    })
  }
}

/** The second begins in the middle of the run. Both tables are there from the beginning, and nobody has listed them. */
function twoPeriods(
  world: World,
  library: Library,
  table: (name: string) => WorkloadTable,
  { seed, runMilliseconds, table: { cacheMilliseconds } }: Settings,
) {
  const [first, second] = ROTATED_NAMES
  const tables = [table(first), table(second)] as const
  const rotated = new RotatedLog({
    world,
    rotation: library.rotation,
    tables,
    runMilliseconds,
    cacheMilliseconds,
    lateMilliseconds: LATE_MILLISECONDS,
  })
  return { tables, rotated, archives: chanceFor(seed, 11).next() < SHARE_OF_ARCHIVES }
}

const SHARE_OF_ARCHIVES = 0.5
const LATE_MILLISECONDS = 500

function logTable(library: Library, settings: Settings, name: string, operated: readonly string[]) {
  const shape = { name, partitionKey: 'file_path', sortKey: 'accessed_at', operated }
  return randomTable(library, settings, shape)
}

function ordersTable(library: Library, settings: Settings, operated: readonly string[]) {
  const shape = { name: 'orders', partitionKey: 'customer', sortKey: 'order_id', operated }
  return calculatedTable(library, settings, shape)
}

/** Cold keys get next to nothing of what one partition takes, together. */
function coldShare({ engine, itemBytes, writesPerSecond }: Settings): number {
  const units = Math.ceil((itemBytes + 100) / 1_024)
  return Math.min(0.03, (COLD_SHARE_OF_PARTITION * engine.partitionWriteUnits) / units / writesPerSecond)
}

const COLD_SHARE_OF_PARTITION = 0.04

/** A cached count may be so old, and a replica so far behind; clocks differ a little, and requests take their time. */
function staleMilliseconds({ table, engine, faults, index }: Settings): number {
  return (
    table.cacheMilliseconds * (1 + 2 * faults.drift) +
    engine.readLagMilliseconds +
    (table.readReplicas === 0 ? 0 : index.lagMilliseconds) +
    faults.latestMilliseconds +
    1_000
  )
}

/**
 * A change may wait so long for its index's capacity, at one partition, and for its time. And a process may not know for as long as its
 * cache lives that an index has more shards.
 */
function staleIndexMilliseconds({ engine, index, table, faults }: Settings): number {
  const queued = (2_000 * index.queueUnits) / engine.partitionWriteUnits
  const cached = index.isDynamic ? table.cacheMilliseconds * (1 + 2 * faults.drift) : 0
  return queued + cached + index.lagMilliseconds + engine.readLagMilliseconds + 5_000
}
