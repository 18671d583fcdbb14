import { onNextTurn, randomInteger, SeededRandom } from '@isotherm/runtime'
import type { Client } from '../workloads/workload.js'
import { type Faults, NO_FAULTS } from '../world/faults.js'
import type { Library } from '../world/library.js'
import { Process } from '../world/process.js'
import { Scheduler } from '../world/scheduler.js'
import { chanceFor } from '../world/seeds.js'
import { Violation } from '../world/violation.js'
import {
  createTables,
  KEYS,
  LATEST_MILLISECONDS,
  LONGEST_LAG_MILLISECONDS,
  replicatedTables,
  TABLE,
  tableOptions,
} from './global-table.js'
import { KnownItems } from './known-items.js'
import { Region } from './region.js'
import { type KeyLoad, RegionProcess } from './region-process.js'
import { Replication } from './replication.js'
import type { Setup } from './setup.js'

const STARTS_AT = 1_800_000_000_000
const PROCESSES_OF_A_REGION = 2

/** Long enough for other processes to take over a change. With `keysOfOneRegion` they do so after three minutes and a half. */
const AWAY_MILLISECONDS = [180_000, 270_000] as const
const REST_MILLISECONDS = 480_000
const TOUCH_MILLISECONDS = 20_000
const CONCLUSION_MILLISECONDS = 120_000

const FAULTS: Faults = {
  ...NO_FAULTS,
  delayMilliseconds: 10,
  lostRequests: 0.005,
  lostReplies: 0.01,
  lateRequests: 0.01,
  serverErrors: 0.005,
  latestMilliseconds: LATEST_MILLISECONDS,
  timeoutMilliseconds: 600,
}

/** One run of a setup, the same each time for the same seed. @returns what did not hold */
export async function runSetup(
  library: Library,
  setup: Setup,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Promise<Violation | undefined> {
  const run = new SetupRun(library, setup, seed)
  const onUnhandled = (error: unknown) => run.failed(error)
  process.on('unhandledRejection', onUnhandled)
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await run.run(seconds * 1_000)
  } finally {
    await run.end()
    Error.stackTraceLimit = stackTraceLimit
    process.off('unhandledRejection', onUnhandled)
  }
}

class SetupRun {
  readonly #library: Library
  readonly #setup: Setup
  readonly #seed: number
  readonly #scheduler = new Scheduler(STARTS_AT)
  readonly #regions: readonly [Region, Region]
  readonly #items = KEYS.map((key) => new KnownItems(key))
  readonly #clients: Client[] = []
  readonly #processes: RegionProcess[] = []
  #isLoading = true
  #violation: Violation | undefined

  constructor(library: Library, setup: Setup, seed: number) {
    this.#library = library
    this.#setup = setup
    this.#seed = seed
    const scheduler = this.#scheduler
    const replication = new Replication({
      scheduler,
      random: chanceFor(seed, 5),
      keys: replicatedTables(setup),
      longestMilliseconds: LONGEST_LAG_MILLISECONDS,
      onFailed: (error) => this.failed(error),
    })
    const region = (name: string, at: number) =>
      new Region({ name, seed: seed * 2 + at, faults: FAULTS, scheduler, onExecuted: replication.executed })
    this.#regions = [region('east', 0), region('west', 1)]
    replication.between(this.#regions)
  }

  async run(milliseconds: number): Promise<Violation | undefined> {
    await this.#until(this.#prepare())
    for (const region of this.#regions) {
      for (let slot = 0; slot < PROCESSES_OF_A_REGION; slot++) this.#live(this.#spawn(region, slot))
    }
    await this.#pass(milliseconds)
    if (this.#setup.writersLeave) {
      await this.#replaceWriters()
      await this.#pass(milliseconds)
    }
    this.#isLoading = false
    for (const region of this.#regions) region.calm(NO_FAULTS)
    for (let rested = 0; rested < REST_MILLISECONDS; rested += TOUCH_MILLISECONDS) {
      if (this.#violation !== undefined) return this.#violation
      for (const each of this.#living) {
        for (const { key } of this.#items) each.read(key).catch((error: unknown) => this.failed(error))
      }
      await this.#pass(TOUCH_MILLISECONDS)
    }
    for (const region of this.#regions) this.#spawn(region, 0)
    await this.#until(this.#conclude())
    return this.#violation
  }

  async end(): Promise<void> {
    for (const db of this.#clients) db.destroy()
    await new Promise<void>(onNextTurn)
    for (const { lane } of this.#regions) await lane.local.close()
  }

  failed(error: unknown): void {
    if (this.#violation !== undefined) return
    const seen = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    this.#violation = error instanceof Violation ? error : new Violation('no unexpected error', seen)
    this.#scheduler.stop()
  }

  get #living(): readonly RegionProcess[] {
    return this.#processes.filter(({ process }) => process.isAlive)
  }

  /** Where shard maps replicate, they have one card: each region would make its own. */
  async #prepare(): Promise<void> {
    for (const { lane } of this.#regions) await createTables(lane.execute)
    if (this.#setup.isFixed) return
    const first = this.#spawn(this.#regions[0], 0)
    for (const key of KEYS) await first.read(key)
    first.process.crash()
    await this.#scheduler.sleep(2 * LONGEST_LAG_MILLISECONDS)
  }

  #spawn(region: Region, slot: number): RegionProcess {
    const at = this.#processes.length
    const process = new Process(this.#scheduler, {
      name: `${region.name} ${at}`,
      seed: Math.floor(chanceFor(this.#seed, 100 + at).next() * 2 ** 32),
      rate: 1,
      calendarOffset: 0,
    })
    const [first] = this.#regions
    const db = this.#library.isotherm(region.clientOf(process), {
      tables: { [TABLE]: tableOptions(this.#library, this.#setup, first.clientOf(process)) },
      clock: process.clock,
      random: new SeededRandom(Math.floor(process.random.next() * 2 ** 32)),
    }) as Client
    this.#clients.push(db)
    const onFailed = (error: unknown) => this.failed(error)
    const spawned = new RegionProcess({ process, region, slot, db, setup: this.#setup, onFailed })
    this.#processes.push(spawned)
    return spawned
  }

  /** Each key has items of both regions, of which the first key is hot in one alone; or of one region each. */
  #live(spawned: RegionProcess): void {
    for (const [at, items] of this.#items.entries()) {
      spawned.begin(items, {
        writes: this.#writesOf(spawned.region, at),
        isLoading: () => this.#isLoading,
      })
    }
  }

  #writesOf(region: Region, key: number): KeyLoad['writes'] {
    const [first] = this.#regions
    if (this.#setup.writers === 'one region') return region === this.#regions[key] ? 'often' : 'never'
    return key === 0 && region !== first ? 'rarely' : 'often'
  }

  /** All processes of one region end. Those that come after a while write the items of the same slots. */
  async #replaceWriters(): Promise<void> {
    const [first] = this.#regions
    const leaving = this.#living.filter(({ region }) => region === first)
    for (const { process } of leaving) process.crash()
    const [least, most] = AWAY_MILLISECONDS
    await this.#pass(randomInteger(chanceFor(this.#seed, 6), least, most))
    for (const { slot } of leaving) this.#live(this.#spawn(first, slot))
  }

  /** Everything was replicated long ago. Some of the processes know nothing of what was before. */
  async #conclude(): Promise<void> {
    for (const items of this.#items) {
      for (const reader of this.#living) {
        const found = await reader.read(items.key)
        if (found === undefined)
          throw new Violation('no unexpected error', `a last query of ${items.key} failed`)
        items.check(found, items.demand(), `${reader.process.name} at the end`)
      }
    }
  }

  #pass(milliseconds: number): Promise<void> {
    return this.#scheduler.run(this.#scheduler.now() + milliseconds)
  }

  /** Runs the world until the work is done. */
  async #until(work: Promise<void>): Promise<void> {
    let isDone = false
    work
      .catch((error: unknown) => this.failed(error))
      .finally(() => {
        isDone = true
      })
    const end = this.#scheduler.now() + CONCLUSION_MILLISECONDS
    while (!isDone && this.#violation === undefined && this.#scheduler.now() < end) await this.#pass(1_000)
    if (!isDone)
      this.failed(new Violation('everything comes to an end', 'a request still waits for an answer'))
  }
}
