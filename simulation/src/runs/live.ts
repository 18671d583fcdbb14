import { randomInteger, SeededRandom } from '@isotherm/runtime'
import type { Recording } from '../interleavings/recording.js'
import { Answers } from '../invariants/answers.js'
import { requireInvariants } from '../invariants/library-invariants.js'
import type { ReportedCopies } from '../invariants/reported-copies.js'
import type { ChangesByHand } from '../workloads/changes-by-hand.js'
import { countedClient } from '../workloads/counted-client.js'
import { migrateTable } from '../workloads/migrator.js'
import { operate } from '../workloads/operator.js'
import { patientClient } from '../workloads/patient-client.js'
import type { Client, Workload } from '../workloads/workload.js'
import type { Library } from '../world/library.js'
import type { Process } from '../world/process.js'
import type { StoredItems } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'
import type { World } from '../world/world.js'
import { checkViews } from './check-views.js'
import { fillCard } from './fill-card.js'
import { hindrancesOf } from './hindrances.js'
import { isAtRest, LAST_MILLISECONDS, restMilliseconds, type Watches } from './last-checks.js'
import type { Settings } from './settings.js'
import { SteadyPhase } from './steady-phase.js'
import { otherOptions } from './workload-tables.js'

/** What a run knows of its processes and tables while they live. */
export interface Surroundings {
  readonly clients: Map<Process, Client>
  readonly watches: Watches
  readonly byHand: ChangesByHand
  readonly stored: StoredItems
  readonly copies: ReportedCopies
  readonly recording: Recording | undefined
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

/** The processes send the load with all faults, come to rest without faults, and read everything at the end. It ends early at a violation. */
export async function live(
  world: World,
  library: Library,
  workload: Workload,
  surroundings: Surroundings,
  settings: Settings,
): Promise<void> {
  const { clients, watches, stored } = surroundings
  const answers = new Answers(hindrancesOf(settings))
  startProcesses(world, library, workload, surroundings, settings, answers)
  for (const table of settings.table.cardIsFull ? workload.tables : []) {
    fillCard(world, table).catch((error: unknown) => world.guard(error))
  }
  await world.scheduler.run(world.now + settings.runMilliseconds)
  if (world.violation !== undefined) return
  world.calm()
  answers.check()
  if (settings.losesShardMaps) return
  const isLimited = Number.isFinite(settings.engine.partitionReadUnits)
  const patient = (db: Client | undefined) => (db && isLimited ? patientClient(world, db) : db)
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

/** Each process has its own client of the library, and so has each one that takes the place of a crashed one. */
function startProcesses(
  world: World,
  library: Library,
  workload: Workload,
  { clients, byHand, copies, recording }: Surroundings,
  settings: Settings,
  answers: Answers,
): void {
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
}
