import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { LocalOptions } from '@isotherm/local'
import type { SeededRandom } from '@isotherm/runtime'
import { type Coverage, type CoverageKind, noCoverageYet } from './coverage.js'
import { DrawnJourneys } from './drawn-journeys.js'
import { type EngineLane, engineLane } from './engine-lane.js'
import { type Faults, NO_FAULTS } from './faults.js'
import type { Attempt } from './journey.js'
import { lightClient } from './light-client.js'
import { type ExecutedRequest, Network } from './network.js'
import { Process } from './process.js'
import { Scheduler } from './scheduler.js'
import { sdkClient } from './sdk-client.js'
import { chanceFor } from './seeds.js'
import { Trace } from './trace.js'
import { Violation } from './violation.js'
import type { WorldRecorder } from './world-recorder.js'

export interface WorldOptions {
  readonly seed: number
  readonly faults: Faults
  readonly processes: number
  readonly engine: Pick<
    LocalOptions,
    'capacity' | 'propagation' | 'throttle' | 'transactionMilliseconds' | 'streams'
  >
  /** Attempts that a client makes of one request. */
  readonly maxAttempts: number
  /** Whether processes have the SDK's own client, which is slow, or one that is like it where it matters. */
  readonly usesSdk: boolean
  readonly keepsTrace: boolean
  /** A pause that is longer leaves the process with nothing that it may still go by. */
  readonly cacheMilliseconds: number
  readonly recorder?: WorldRecorder | undefined
  /** Rules that do not hold in such a world, and need not. */
  readonly notPromised?: readonly string[] | undefined
}

const PREPARED_AT = 1_800_000_000_000

/** What an application does in one process: begins its tasks there, which end when `isLoading` does. */
export type Application = (process: Process, client: DynamoDBClient) => void

/** Processes, a network, and the service, on one line of time and under one seed. */
export class World {
  readonly scheduler = new Scheduler(PREPARED_AT)
  readonly trace: Trace
  readonly lane: EngineLane
  readonly network: Network
  readonly processes: Process[] = []
  /** Everything that watches what the service carries out. */
  readonly observers: ((request: ExecutedRequest) => void)[] = []
  /** Everything that watches what processes send. */
  readonly senders: ((attempt: Attempt) => void)[] = []
  readonly coverage: Coverage = noCoverageYet()
  violation: Violation | undefined
  isLoading = false
  /** Milliseconds that a calendar is ahead, or was in a process that is gone, at most. */
  furthestAhead = 0
  readonly #options: WorldOptions
  readonly #journeys: DrawnJourneys
  readonly #chance: SeededRandom
  readonly #mischief: SeededRandom
  #application: Application = () => {}
  #bornAt = PREPARED_AT
  #spawned = 0

  constructor(options: WorldOptions) {
    this.#options = options
    const { seed, faults, engine, keepsTrace } = options
    const clock = { now: () => this.scheduler.now(), sleep: (ms: number) => this.scheduler.sleep(ms) }
    this.#chance = chanceFor(seed, 1)
    this.#mischief = chanceFor(seed, 2)
    this.trace = new Trace(() => this.scheduler.now(), keepsTrace)
    this.lane = engineLane({
      ...engine,
      clock,
      random: chanceFor(seed, 3),
      metrics: false,
      onBug: (error) => this.#onBug(error),
      onPartitionEvent: ({ type }) => {
        if (type === 'split') this.covered('a partition splits')
      },
    })
    this.#journeys = new DrawnJourneys(chanceFor(seed, 4), faults)
    const { recorder } = options
    recorder?.begin(() => this.elapsed)
    this.network = new Network(
      this.scheduler,
      { journeys: recorder?.recorded(this.#journeys) ?? this.#journeys, trace: this.trace },
      this.lane.execute,
      {
        onSent: (attempt) => this.#ask(this.senders, attempt),
        onExecuted: (request) => this.#ask(this.observers, request),
      },
    )
  }

  get now(): number {
    return this.scheduler.now()
  }

  /** Whether clients send a request again that was not answered. */
  get retries(): boolean {
    return this.#options.maxAttempts > 1
  }

  /** Milliseconds since the load began. */
  get elapsed(): number {
    return this.scheduler.now() - this.#bornAt
  }

  /** Does something before any process is there, without faults and without taking time of the load. */
  async prepare(work: () => Promise<void>): Promise<void> {
    let isDone = false
    let failure: unknown
    work().then(
      () => {
        isDone = true
      },
      (error: unknown) => {
        isDone = true
        failure = error
      },
    )
    for (let second = 0; !isDone; second++) {
      if (second > 3_600) throw new Error('The work waits for something that will never come.')
      await this.scheduler.run(this.now + 1_000)
    }
    if (failure !== undefined) throw failure
  }

  /** Starts the processes, and whatever will happen to them. */
  start(application: Application): void {
    this.#application = application
    this.#bornAt = this.now
    this.isLoading = true
    for (let slot = 0; slot < this.#options.processes; slot++) {
      this.processes.push(this.#spawn(slot))
      this.#plan(slot, 'pauseIntervalMilliseconds', (process) => this.#pause(process))
      this.#plan(slot, 'crashIntervalMilliseconds', (process) => this.#crash(slot, process))
      this.#plan(slot, 'jumpIntervalMilliseconds', (process) => this.#jump(process))
    }
  }

  /** From now on nothing goes wrong any more, and nobody asks for more. */
  calm(): void {
    this.isLoading = false
    this.#journeys.faults = { ...NO_FAULTS, drift: this.#journeys.faults.drift }
    this.trace.told('world', 'no more load, no more faults')
  }

  /** Something came about that takes its time. */
  covered(kind: CoverageKind): void {
    if (this.isLoading) this.coverage[kind] += 1
  }

  fail(violation: Violation): void {
    if (this.violation !== undefined || this.#options.notPromised?.includes(violation.rule)) return
    this.violation = violation
    this.trace.told('world', `VIOLATION ${this.violation.message}`)
    this.scheduler.stop()
  }

  /** Runs a check of an observer or of a task: what it throws as a violation ends the world. */
  guard(error: unknown): void {
    if (error instanceof Violation) this.fail(error)
    else this.#onBug(error)
  }

  #onBug(error: unknown): void {
    const seen = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.fail(new Violation('only documented errors', seen))
  }

  /** Each of them, also where one before it found something that nobody has promised. */
  #ask<Seen>(watches: readonly ((seen: Seen) => void)[], seen: Seen): void {
    for (const watch of watches) {
      if (this.violation !== undefined) return
      try {
        watch(seen)
      } catch (error) {
        this.guard(error)
      }
    }
  }

  #spawn(slot: number): Process {
    const { drift, calendarMilliseconds } = this.#journeys.faults
    const life = this.#spawned++
    const draw = () => 2 * this.#chance.next() - 1
    const options = {
      name: `p${slot + 1}${life < this.#options.processes ? '' : `#${life}`}`,
      seed: Math.floor(this.#chance.next() * 2 ** 32),
      rate: 1 + drift * draw(),
      calendarOffset: calendarMilliseconds * draw(),
    }
    const process = new Process(this.scheduler, options)
    const { maxAttempts, usesSdk, recorder } = this.#options
    recorder?.spawned(options)
    const client = usesSdk
      ? sdkClient(this.lane.local, process, this.network, maxAttempts)
      : lightClient(
          {
            clock: process.clock,
            random: process.retryRandom,
            deliver: (operation, input) => this.network.send(process, operation, input),
          },
          maxAttempts,
        )
    this.#application(process, client)
    return process
  }

  #plan(
    slot: number,
    interval: 'pauseIntervalMilliseconds' | 'crashIntervalMilliseconds' | 'jumpIntervalMilliseconds',
    happen: (process: Process) => void,
  ): void {
    const milliseconds = this.#journeys.faults[interval]
    if (!Number.isFinite(milliseconds)) return
    this.scheduler.after(-milliseconds * Math.log(1 - this.#mischief.next()), () => {
      if (!this.isLoading) return
      const process = this.processes[slot]
      if (process !== undefined) happen(process)
      this.#plan(slot, interval, happen)
    })
  }

  #pause(process: Process): void {
    const milliseconds = this.#journeys.faults.pauseMilliseconds * (0.1 + 0.9 * this.#mischief.next())
    this.network.counts.pauses += 1
    this.trace.told(process.name, `pauses for ${Math.round(milliseconds)} ms`)
    process.pause(milliseconds)
    this.#options.recorder?.happened(process, { kind: 'pause', milliseconds })
    if (milliseconds <= this.#options.cacheMilliseconds) return
    this.scheduler.after(milliseconds, () => {
      if (process.isAlive) this.covered('a pause outlasts a cache')
    })
  }

  #crash(slot: number, process: Process): void {
    this.network.counts.crashes += 1
    this.trace.told(process.name, 'crashes')
    process.crash()
    this.#options.recorder?.happened(process, { kind: 'crash' })
    this.processes[slot] = this.#spawn(slot)
  }

  #jump(process: Process): void {
    const { name, clock } = process
    this.network.counts['clock jumps'] += 1
    this.trace.told(name, 'its clock jumps forward')
    const milliseconds = this.#journeys.faults.jumpMilliseconds * this.#mischief.next()
    clock.jump(milliseconds)
    this.#options.recorder?.happened(process, { kind: 'jump', milliseconds })
    this.furthestAhead = Math.max(this.furthestAhead, clock.jumped)
  }
}
