import { onNextTurn } from '@isotherm/runtime'
import { createTables } from '../runs/create-tables.js'
import type { EngineLane } from '../world/engine-lane.js'
import { engineLane } from '../world/engine-lane.js'
import { type ExecutedRequest, Network } from '../world/network.js'
import { Process } from '../world/process.js'
import { Scheduler } from '../world/scheduler.js'
import { chanceFor } from '../world/seeds.js'
import { isThrottle } from '../world/throttle.js'
import { Trace } from '../world/trace.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import { ScriptedJourneys } from './scripted-network.js'
import type { StageSettings } from './stage-settings.js'

const PREPARED_AT = 1_800_000_000_000

/** The service and the network of one script, on virtual time. */
export class Stage {
  readonly scheduler = new Scheduler(PREPARED_AT)
  readonly lane: EngineLane
  readonly network: Network
  readonly journeys: ScriptedJourneys
  readonly trace: Trace
  /** Called for every request that the service has carried out or refused. */
  readonly observers: ((request: ExecutedRequest) => void)[] = []
  /** The first thing that went wrong anywhere. */
  failure: unknown
  /** Stands for requests to the service itself. */
  readonly #outside: Process
  #startedAt = PREPARED_AT
  #isWaiting = false
  #requests = 0
  readonly #maxRequests: number

  constructor(settings: StageSettings) {
    const clock = { now: () => this.scheduler.now(), sleep: (ms: number) => this.scheduler.sleep(ms) }
    this.journeys = new ScriptedJourneys(settings)
    this.#maxRequests = settings.maxRequests
    this.trace = new Trace(() => this.scheduler.now(), false)
    this.lane = engineLane({
      ...settings.engine,
      clock,
      random: chanceFor(settings.seed, 3),
      metrics: false,
      onBug: (error) => this.fail(error),
    })
    this.network = new Network(
      this.scheduler,
      { journeys: this.journeys, trace: this.trace },
      this.lane.execute,
      { onSent: () => {}, onExecuted: (request) => this.#observe(request) },
    )
    this.#outside = new Process(this.scheduler, { name: 'service', seed: 0, rate: 1, calendarOffset: 0 })
  }

  get now(): number {
    return this.scheduler.now()
  }

  /** Milliseconds that the calendar of a process is ahead: scripts have their own for that. */
  readonly furthestAhead = 0

  covered(): void {}

  /** Milliseconds since the script began. */
  get elapsed(): number {
    return this.scheduler.now() - this.#startedAt
  }

  async prepare(tables: readonly WorkloadTable[]): Promise<void> {
    let isDone = false
    const work = createTables(this.lane.execute, tables).finally(() => {
      isDone = true
    })
    while (!isDone) await this.scheduler.run(this.scheduler.now() + 1_000)
    await work
  }

  /** Times of the script are counted from here. */
  start(): void {
    this.#startedAt = this.scheduler.now()
  }

  /** One request to the service itself, which takes no time unless there is no capacity for it. */
  async execute(operation: string, input: object): Promise<Record<string, unknown>> {
    const output = await this.#untilTaken(operation, input)
    this.#observe({ process: this.#outside, operation, input, output, error: undefined })
    return output
  }

  /** Calls back so many milliseconds after the script began, or now if that is over. */
  after(elapsed: number, run: () => void): void {
    this.scheduler.at(this.#startedAt + elapsed, run)
  }

  async #untilTaken(operation: string, input: object): Promise<Record<string, unknown>> {
    for (;;) {
      try {
        return (await this.lane.execute(operation, input)).output
      } catch (error) {
        if (!isThrottle(error)) throw error
        await this.scheduler.run(this.scheduler.now() + 1_000)
      }
    }
  }

  fail(error: unknown): void {
    this.failure ??= error
    this.scheduler.stop()
  }

  /** Something happened that `until` may be waiting for. */
  wake(): void {
    if (this.#isWaiting) this.scheduler.stop()
  }

  /** Lets time pass until a condition holds. @returns whether it does within so long */
  async until(holds: () => boolean, atMostMilliseconds: number): Promise<boolean> {
    const last = this.scheduler.now() + atMostMilliseconds
    this.#isWaiting = true
    try {
      for (;;) {
        await new Promise<void>(onNextTurn)
        if (this.failure !== undefined || holds()) return true
        if (this.scheduler.now() >= last) return false
        this.scheduler.resume()
        await this.scheduler.run(last)
      }
    } finally {
      this.#isWaiting = false
    }
  }

  /** Lets time pass up to so many milliseconds since the script began. */
  async runTo(elapsed: number): Promise<void> {
    await new Promise<void>(onNextTurn)
    if (this.failure !== undefined) return
    this.scheduler.resume()
    await this.scheduler.run(this.#startedAt + elapsed)
  }

  #observe(request: ExecutedRequest): void {
    if (this.failure !== undefined) return
    this.#requests += 1
    try {
      if (this.#requests > this.#maxRequests) {
        this.fail(new Error(`the script sends more requests than ${this.#maxRequests}`))
        return
      }
      for (const observer of this.observers) observer(request)
    } catch (error) {
      this.guard(error)
    }
  }

  /** A broken rule ends the script, as anything else does that nobody expects. */
  guard(error: unknown): void {
    const isRule = error instanceof Violation
    this.fail(isRule ? error : new Violation('only expected errors', describe(error)))
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
