import { onNextTurn } from '@isotherm/runtime'
import type { Recording } from '../interleavings/recording.js'
import { HotKeyWatch } from '../invariants/hot-key-watch.js'
import { IndexCountWatch } from '../invariants/index-count-watch.js'
import { type HistoryCounts, historyCounts } from '../invariants/item-history.js'
import { checkNeighbour } from '../invariants/neighbours.js'
import { ReportedCopies } from '../invariants/reported-copies.js'
import { ShardMapWatch } from '../invariants/shard-map-watch.js'
import { ViewAgeWatch } from '../invariants/view-age-watch.js'
import { ChangesByHand } from '../workloads/changes-by-hand.js'
import type { Client, Workload } from '../workloads/workload.js'
import type { Coverage } from '../world/coverage.js'
import type { FaultCounts } from '../world/faults.js'
import type { Library } from '../world/library.js'
import type { Process } from '../world/process.js'
import { type StoredCopies, StoredItems } from '../world/stored-items.js'
import type { TraceLine } from '../world/trace.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import { World } from '../world/world.js'
import { createPlainTables, createTables } from './create-tables.js'
import { fillTables } from './fill-tables.js'
import { hotKeyOptions } from './hot-key-options.js'
import { checkRest, checkStored, type Watches } from './last-checks.js'
import { live } from './live.js'
import { loseShardMaps } from './lost-shard-maps.js'
import { MODES } from './modes/modes.js'
import { ONE_COPY, type Settings } from './settings.js'
import { workloadOf } from './workload-of.js'

/** What came of one run. */
export interface RunResult {
  readonly settings: Settings
  readonly violation: Violation | undefined
  readonly hash: string
  readonly requests: number
  readonly transactions: number
  readonly countChanges: number
  readonly histories: HistoryCounts
  readonly simulatedMilliseconds: number
  readonly faults: FaultCounts
  readonly coverage: Coverage
  readonly lines: readonly TraceLine[]
  readonly tables: readonly WorkloadTable[]
}

export interface RunOptions {
  readonly keepsTrace?: boolean
  /** Writes down what happens. */
  readonly recording?: Recording | undefined
}

/** One world from its beginning to its end, the same each time for the same settings. */
export async function runSeed(
  library: Library,
  settings: Settings,
  { keepsTrace = false, recording }: RunOptions = {},
): Promise<RunResult> {
  const world = new World({
    ...settings,
    cacheMilliseconds: settings.table.cacheMilliseconds,
    engine: {
      throttle: settings.engine.throttles,
      transactionMilliseconds: settings.engine.transactionMilliseconds,
      propagation: {
        readLagMilliseconds: settings.engine.readLagMilliseconds,
        indexLagMilliseconds: settings.index.lagMilliseconds,
        indexQueueUnits: settings.index.queueUnits,
      },
      capacity: {
        partitionWriteUnitsPerSecond: settings.engine.partitionWriteUnits,
        // Indexes have spent what they saved, so that they throttle within a run.
        indexPartitionBurstSeconds: 1,
        ...(Number.isFinite(settings.engine.partitionReadUnits)
          ? { partitionReadUnitsPerSecond: settings.engine.partitionReadUnits }
          : {}),
        onDemandPartitions: settings.engine.partitions,
        heatSeconds: settings.engine.splits ? settings.engine.heatSeconds : 1e9,
      },
    },
    keepsTrace,
    recorder: recording,
    notPromised: settings.mode && MODES[settings.mode].notPromised,
  })
  const workload = workloadOf(world, library, settings)
  const { latestMilliseconds, beyondBound } = settings.faults
  const byHand = new ChangesByHand(world, latestMilliseconds * (1 + beyondBound))
  const { initialShards } = settings.table
  const watches = new Map(
    workload.tables.map((table) => [
      table.name,
      new ShardMapWatch(world, table, {
        cooldownMilliseconds: settings.table.cooldownMilliseconds,
        initialShards,
        mayGrow: !Number.isFinite(settings.engine.tableWriteUnits),
        isByHand: (owner, key, shards) => byHand.has(owner, table.name, key, shards),
        onChanged: (key, shards) => checkNeighbour(workload, key, shards, initialShards),
        calendarMilliseconds: settings.faults.calendarMilliseconds,
        drift: settings.faults.drift,
        itemsOf: (key) => stored.of(table.name, key),
      }),
    ]),
  )
  const stored = new StoredItems(
    workload.tables.map(({ name, partitionKey, sortKey }) => ({
      name,
      partitionKey,
      sortKey,
      adopt: settings.table.adopt,
    })),
    (copies) => {
      if (ONE_COPY.includes(settings.workload)) checkOneCopy(copies)
      watches.get(copies.table)?.checkCovered(copies)
    },
    requireNothingReplaced,
  )
  const onUnhandled = (error: unknown) => world.guard(error)
  process.on('unhandledRejection', onUnhandled)
  // Throttles come by the thousand, and to note where each was made takes a third of all time.
  const { stackTraceLimit } = Error
  if (!keepsTrace) Error.stackTraceLimit = 0
  const clients = new Map<Process, Client>()
  const copies = new ReportedCopies()
  try {
    await world.prepare(() =>
      createTables(world.lane.execute, workload.tables, settings.engine.tableWriteUnits),
    )
    await world.prepare(() => createPlainTables(world.lane.execute, workload.plainTables ?? []))
    if (settings.table.adopt)
      await world.prepare(() => fillTables(world, workload, { stored, recording }, settings))
    world.observers.push(stored.observe, ...[...watches.values()].map(({ observe }) => observe))
    for (const table of workload.tables) {
      if (table.indexes.some(({ isDynamic }) => isDynamic))
        world.observers.push(new IndexCountWatch(world, table).observe)
    }
    for (const table of settings.table.isFixed ? [] : workload.tables) {
      const watch = watches.get(table.name)
      if (watch === undefined) continue
      const { cacheMilliseconds } = settings.table
      const ages = {
        cacheMilliseconds: cacheMilliseconds / (1 - settings.faults.drift) + 1,
        isAppended: settings.table.suffix === 'random' && !ONE_COPY.includes(settings.workload),
        now: () => world.now,
      }
      world.senders.push(new ViewAgeWatch(table, watch, ages).sent)
    }
    for (const table of workload.tables) {
      const watch = watches.get(table.name)
      const options = hotKeyOptions(settings)
      if (watch === undefined || options === undefined) continue
      world.observers.push(new HotKeyWatch(world, table, watch, options).observe)
    }
    await live(
      world,
      library,
      workload,
      { clients, watches, byHand, stored, copies, recording },
      settings,
    ).catch((error: unknown) => world.guard(error))
    if (world.violation === undefined && settings.losesShardMaps) {
      world.scheduler.resume()
      await world
        .prepare(() => loseShardMaps(world, library, workload, stored, settings))
        .catch((error: unknown) => world.guard(error))
    } else if (world.violation === undefined) {
      checkRest(world, { stored, copies }, watches, settings)
      world.scheduler.resume()
      await world
        .prepare(() => checkStored(world, workload, stored))
        .catch((error: unknown) => world.guard(error))
    }
    return resultOf(world, workload, watches, settings)
  } finally {
    await end(clients)
    Error.stackTraceLimit = stackTraceLimit
    process.off('unhandledRejection', onUnhandled)
    await world.lane.local.close()
  }
}

function resultOf(
  { violation, trace, network, elapsed, coverage }: World,
  workload: Workload,
  watches: Watches,
  settings: Settings,
): RunResult {
  return {
    settings,
    violation,
    hash: trace.hash,
    requests: network.requests,
    transactions: network.transactions,
    countChanges: [...watches.values()].reduce((sum, { changes }) => sum + changes, 0),
    histories: workload.histories?.() ?? historyCounts([]),
    simulatedMilliseconds: elapsed,
    faults: network.counts,
    coverage,
    lines: trace.lines,
    tables: workload.tables,
  }
}

/** What a client waits for would keep its whole world in memory: Node holds on to signals that somebody listens to. */
async function end(clients: ReadonlyMap<Process, Client>): Promise<void> {
  for (const db of clients.values()) db.destroy()
  await new Promise<void>(onNextTurn)
}

/** An item that no application puts twice has one place, at any time. @throws Violation */
function checkOneCopy({ logicalKey, sort, shards }: StoredCopies): void {
  if (shards.size <= 1) return
  const seen = `${logicalKey} ${sort} is in the shards ${[...shards].join(' and ')}`
  throw new Violation('an item has one copy', seen, [logicalKey, sort])
}

/** What is at the place that an item is moved to stays there: nobody knows which of two is the later one. @throws Violation */
function requireNothingReplaced({ logicalKey, sort }: StoredCopies, shard: number): void {
  const seen = `${logicalKey} ${sort} was moved to shard ${shard}, and was there already`
  throw new Violation('a move replaces no item', seen, [logicalKey, sort])
}
