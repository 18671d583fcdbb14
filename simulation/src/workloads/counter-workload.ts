import { randomInteger, SeededRandom } from '@isotherm/runtime'
import type { Counter as IsothermCounter } from 'isotherm/counter'
import type { Library } from '../world/library.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { requireExpected } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { untilAnswered } from './until-answered.js'
import type { Client, Workload } from './workload.js'

export interface CounterWorkloadOptions {
  readonly table: WorkloadTable
  readonly countsPerSecond: number
  readonly readsPerSecond: number
  readonly processes: number
  readonly counters: readonly string[]
}

/** What is known of one counter from outside. */
interface Tally {
  readonly name: string
  /** Counts that are known to be done, and those that may be. */
  sure: number
  perhaps: number
}

const ROLL_UPS_PER_SECOND = 0.2
const MOST_SHARDS = 24

/**
 * Counters of the library: every count has a token and is sent until it is answered, while others read, roll up, and lower the number
 * of shards.
 */
export class CounterWorkload implements Workload {
  readonly name = 'counter'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #library: Library
  readonly #options: CounterWorkloadOptions
  readonly #tallies: readonly Tally[]
  #tokens = 0

  constructor(world: World, library: Library, options: CounterWorkloadOptions) {
    this.#world = world
    this.#library = library
    this.#options = options
    this.tables = [options.table]
    this.#tallies = options.counters.map((name) => ({ name, sure: 0, perhaps: 0 }))
  }

  existing(): readonly Attributes[] {
    return []
  }

  begin(process: Process, db: Client): void {
    const { countsPerSecond, readsPerSecond, processes } = this.#options
    const share = (perSecond: number) => () => perSecond / processes
    atRate(this.#world, process, share(countsPerSecond), () => this.#count(process, db))
    atRate(this.#world, process, share(readsPerSecond), () => this.#look(process, db, this.#drawn(process)))
    atRate(this.#world, process, share(ROLL_UPS_PER_SECOND), () => this.#rollUp(process, db))
  }

  async touch(process: Process, db: Client): Promise<void> {
    for (const tally of this.#tallies) await this.#look(process, db, tally)
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    for (const tally of this.#tallies) {
      const read = () => untilAnswered(process, () => this.#open(process, db, tally).value())
      check(process, tally, await read(), tally.sure)
      await untilAnswered(process, () => unlessBusy(this.#open(process, db, tally).rollUp({ shards: 1 })))
      check(process, tally, await read(), tally.sure)
    }
  }

  /** Sent until it is known to be done. A count of a process that crashes may be done all the same. */
  async #count(process: Process, db: Client): Promise<void> {
    const tally = this.#drawn(process)
    this.#tokens += 1
    const token = `token${this.#tokens}`
    tally.perhaps += 1
    await untilAnswered(process, () => this.#open(process, db, tally).add(1, { token }))
    tally.perhaps -= 1
    tally.sure += 1
  }

  /** What was done before is in it, and no more than may have been done since. */
  async #look(process: Process, db: Client, tally: Tally): Promise<void> {
    const { sure } = tally
    try {
      check(process, tally, await this.#open(process, db, tally).value(), sure)
    } catch (error) {
      if (error instanceof Violation) throw error
      requireExpected(error)
    }
  }

  async #rollUp(process: Process, db: Client): Promise<void> {
    const shards = randomInteger(process.random, 1, 4)
    const isLowering = process.random.next() < 0.5
    try {
      await unlessBusy(this.#open(process, db, this.#drawn(process)).rollUp(isLowering ? { shards } : {}))
    } catch (error) {
      requireExpected(error)
    }
  }

  #drawn({ random }: Process): Tally {
    return this.#tallies[randomInteger(random, 0, this.#tallies.length - 1)] as Tally
  }

  #open(process: Process, db: Client, { name }: Tally): IsothermCounter {
    const { table } = this.#options
    return this.#library.counter(db, {
      table: table.name,
      partitionKey: table.partitionKey,
      sortKey: table.sortKey,
      key: name,
      max: MOST_SHARDS,
      clock: process.clock,
      random: new SeededRandom(Math.floor(process.random.next() * 2 ** 32)),
    })
  }
}

/** Processes that roll up one counter at the same time are in each other's way. The library says so, and the counter keeps its value. */
async function unlessBusy(rollUp: Promise<unknown>): Promise<void> {
  try {
    await rollUp
  } catch (error) {
    const isBusy = error instanceof Error && 'code' in error && error.code === 'counter.busy'
    if (!isBusy) throw error
  }
}

/** @throws Violation */
function check(process: Process, { name, sure, perhaps }: Tally, counted: number, sureBefore: number): void {
  const atMost = sure + perhaps
  if (counted >= sureBefore && counted <= atMost) return
  const seen = `${process.name} reads ${counted}; ${sureBefore} are known to be done, and ${atMost - sureBefore} more may be`
  throw new Violation('every count is counted once', seen, [name])
}
