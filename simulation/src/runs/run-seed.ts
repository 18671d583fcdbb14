import { onNextTurn, randomInteger, SeededRandom } from '@isotherm/runtime'
import type { Recording } from '../interleavings/recording.js'
import { Answers } from '../invariants/answers.js'
import { HotKeyWatch } from '../invariants/hot-key-watch.js'
import { IndexCountWatch } from '../invariants/index-count-watch.js'
import { type HistoryCounts, historyCounts } from '../invariants/item-history.js'
import { requireInvariants } from '../invariants/library-invariants.js'
import { checkNeighbour } from '../invariants/neighbours.js'
import { ReportedCopies } from '../invariants/reported-copies.js'
import { ShardMapWatch } from '../invariants/shard-map-watch.js'
import { ViewAgeWatch } from '../invariants/view-age-watch.js'
import { ChangesByHand } from '../workloads/changes-by-hand.js'
import { countedClient } from '../workloads/counted-client.js'
import { migrateTable } from '../workloads/migrator.js'
import { operate } from '../workloads/operator.js'
import { patientClient } from '../workloads/patient-client.js'
import type { Client, Workload } from '../workloads/workload.js'
import type { Coverage } from '../world/coverage.js'
import type { FaultCounts } from '../world/faults.js'
import type { Library } from '../world/library.js'
import type { Process } from '../world/process.js'
import { type StoredCopies, StoredItems } from '../world/stored-items.js'
import type { TraceLine } from '../world/trace.js'
import { untilTaken } from '../world/until-taken.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import { World } from '../world/world.js'
import { checkViews } from './check-views.js'
import { createPlainTables, createTables } from './create-tables.js'
import { fillCard } from './fill-card.js'
import { hindrancesOf } from './hindrances.js'
import { hotKeyOptions } from './hot-key-options.js'
import {
  checkRest,
  checkStored,
  isAtRest,
  LAST_MILLISECONDS,
  restMilliseconds,
  type Watches,
} from './last-checks.js'
import { loseShardMaps } from './lost-shard-maps.js'
import { MODES } from './modes/modes.js'
import { ONE_COPY, type Settings } from './settings.js'
import { SteadyPhase } from './steady-phase.js'
import { workloadOf } from './workload-of.js'
import { otherOptions } from './workload-tables.js'

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

/** Until the last request is no longer on its way. */
const LEAST_REST_MILLISECONDS = 60_000

/** How often a key is asked for meanwhile. */
const TOUCH_MILLISECONDS = 20_000

/** More than that make queries long, and find nothing more. */
const MAX_SHARDS_BY_HAND = 12

/** Processes that read everything at the end: those after them know nothing else. */
const CONCLUDING_PROCESSES = 2

/** Migrations begin after this share of the load. */
const MIGRATED_AFTER = 0.1

/** How long the last readings may take, and the work that is left: a lease lasts longer by what its calendar was ahead. */
const CONCLUSION_MILLISECONDS = 600_000

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
      await world.prepare(() => fill(world, workload, { stored, recording }, settings))
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

interface Surroundings {
  readonly clients: Map<Process, Client>
  readonly watches: Watches
  readonly byHand: ChangesByHand
  readonly stored: StoredItems
  readonly copies: ReportedCopies
  readonly recording: Recording | undefined
}

async function live(
  world: World,
  library: Library,
  workload: Workload,
  { clients, watches, byHand, stored, copies, recording }: Surroundings,
  settings: Settings,
): Promise<void> {
  const answers = new Answers(hindrancesOf(settings))
  let begun = 0
  world.start((owner, client) => {
    const isOther = settings.table.optionsDiffer && begun++ % 2 === 1
    const sharded = library.isotherm(client, {
      tables: Object.fromEntries(
        workload.tables.map(({ name, sharded }) => [
          name,
          isOther ? otherOptions(library, settings, sharded) : sharded,
        ]),
      ),
      clock: owner.clock,
      random: new SeededRandom(Math.floor(owner.random.next() * 2 ** 32)),
      onEvent: (event) => {
        requireInvariants(world, event)
        copies.noticed(event)
      },
    })
    const db = countedClient(world, recording?.client(owner, sharded) ?? sharded, answers)
    clients.set(owner, db)
    workload.begin(owner, db, recording?.plain(owner, client) ?? client)
    for (const table of settings.table.migrateTo > 0 ? workload.tables : []) {
      migrateTable(world, owner, db, {
        table: table.name,
        to: settings.table.migrateTo,
        atMilliseconds: settings.runMilliseconds * MIGRATED_AFTER,
        migrators: CONCLUDING_PROCESSES,
      })
    }
    for (const table of settings.table.isFixed ? [] : workload.tables) {
      if (!Number.isFinite(settings.operatorMilliseconds)) continue
      operate(world, owner, db, {
        table: table.name,
        keys: table.operated,
        maxShards: Math.min(settings.table.maxShards, MAX_SHARDS_BY_HAND),
        everyMilliseconds: settings.operatorMilliseconds,
        untilMilliseconds: settings.operatedMilliseconds,
        processes: settings.processes,
        beginMilliseconds: settings.table.cacheMilliseconds + settings.table.lateMilliseconds,
        anyOwner: () => {
          const process = world.processes[randomInteger(owner.random, 0, world.processes.length - 1)]
          const client = process && clients.get(process)
          return process === undefined || client === undefined
            ? { process: owner, db }
            : { process, db: client }
        },
        byHand,
      })
    }
  })
  for (const table of settings.table.cardIsFull ? workload.tables : []) {
    fillCard(world, table).catch((error: unknown) => world.guard(error))
  }
  await world.scheduler.run(world.now + settings.runMilliseconds)
  if (world.violation !== undefined) return
  world.calm()
  answers.check()
  const isLimited = Number.isFinite(settings.engine.partitionReadUnits)
  const patient = (db: Client | undefined) => (db && isLimited ? patientClient(world, db) : db)
  if (settings.losesShardMaps) return
  const { steady } = settings
  const phase = steady && new SteadyPhase(world, { workload, clients, watches, stored, settings }, steady)
  await phase?.converge()
  if (world.violation !== undefined) return
  const leastRest = Math.max(
    LEAST_REST_MILLISECONDS,
    settings.table.quiet ? (phase?.quietMilliseconds ?? 0) : 0,
  )
  const rest = restMilliseconds(world, settings)
  for (let rested = 0; rested < rest; rested += TOUCH_MILLISECONDS) {
    if (rested >= leastRest && isAtRest(watches)) break
    for (const owner of world.processes.slice(0, CONCLUDING_PROCESSES)) {
      const db = patient(clients.get(owner))
      if (db === undefined) continue
      workload.touch(owner, db).catch((error: unknown) => world.guard(error))
      phase?.touch(db).catch((error: unknown) => world.guard(error))
    }
    await world.scheduler.run(world.now + TOUCH_MILLISECONDS)
  }
  phase?.checkShrunk()
  if (world.violation !== undefined) return
  await checkViews(world, {
    clients,
    tables: workload.tables,
    watches,
    cacheMilliseconds: settings.table.cacheMilliseconds * (1 + 2 * settings.faults.drift) + LAST_MILLISECONDS,
    atMostMilliseconds: CONCLUSION_MILLISECONDS + world.furthestAhead,
  })
  if (world.violation !== undefined) return
  let concluded = 0
  const living = world.processes.slice(0, CONCLUDING_PROCESSES)
  for (const owner of living) {
    workload
      .conclude(owner, patient(clients.get(owner)) as never)
      .catch((error: unknown) => world.guard(error))
      .finally(() => {
        concluded += 1
        if (concluded === living.length) world.scheduler.stop()
      })
  }
  const { sleepsInConclusionMilliseconds = 0 } = workload
  await world.scheduler.run(
    world.now + sleepsInConclusionMilliseconds + CONCLUSION_MILLISECONDS + world.furthestAhead,
  )
  if (concluded < living.length && world.violation === undefined) {
    const seen = `${living.length - concluded} processes still wait for an answer`
    world.fail(new Violation('everything comes to an end', seen))
  }
}

/** Puts what was there before anybody sharded the table, for so long that every replica and index has it. */
async function fill(
  world: World,
  workload: Workload,
  { stored, recording }: Pick<Surroundings, 'stored' | 'recording'>,
  { engine, index }: Settings,
): Promise<void> {
  for (const table of workload.tables) {
    for (const item of workload.existing(table)) {
      await untilTaken(world, () => world.lane.execute('PutItem', { TableName: table.name, Item: item }))
      stored.put(table.name, item)
      recording?.stored(table.name, item)
    }
  }
  await world.scheduler.sleep(engine.readLagMilliseconds + index.lagMilliseconds)
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
