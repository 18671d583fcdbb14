import { areEven, areOfCoolerPlaces } from '../invariants/even-shares.js'
import { SteadyWatch } from '../invariants/steady-watch.js'
import { STEADY_KEY, SteadyLoad } from '../workloads/steady-load.js'
import type { Client, Workload } from '../workloads/workload.js'
import type { Process } from '../world/process.js'
import type { StoredItems } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'
import type { World } from '../world/world.js'
import type { Watches } from './last-checks.js'
import type { Settings } from './settings.js'
import type { SteadySettings } from './steady-settings.js'

export interface SteadyPhaseOptions {
  readonly workload: Workload
  readonly clients: ReadonlyMap<Process, Client>
  readonly watches: Watches
  readonly stored: StoredItems
  readonly settings: Settings
}

/** More share the evidence so thinly that none of them has any. */
const MOST_PROCESSES = 3

/** Items of one partition's full load: a partition that takes few large ones is full by chance. */
const ITEMS_A_PARTITION = 10

const BATCH = 5

/** How long a process remembers that a shard refused a write. */
const REFUSAL_MILLISECONDS = 60_000

/** For so long nothing must have changed, and hardly anything been refused. */
const WINDOW_MILLISECONDS = 10_000
const LOOK_MILLISECONDS = 5_000

/**
 * The library lets single refusals be, of each process three units in five seconds; what it answers with shards is more. Without
 * any it is a third at least.
 */
const MOST_REFUSED = 0.12

/** Changes until a key has enough shards, by one more each time, and where some of them meet. */
const MOST_CHANGES = 10

/** Until a process has noticed, and until the items of a calculated key are moved, out of a partition that is full. */
const NOTICE_MILLISECONDS = 10_000
const MOVE_MILLISECONDS = 30_000

/** Until it is looked at, and until a process has shrunk it, besides the quiet time. */
const QUIET_MILLISECONDS = 60_000
const SHRINK_MILLISECONDS = 40_000

/** A key with a steady load, when nothing else happens any more: it gets the shards that it needs, and loses them again. */
export class SteadyPhase {
  readonly #world: World
  readonly #options: SteadyPhaseOptions
  readonly #load: SteadyLoad
  readonly #watch: SteadyWatch
  readonly #table: Workload['tables'][number]
  #endedAt = 0
  #begunAt = 0
  #shardsAtEnd = 0

  constructor(world: World, options: SteadyPhaseOptions, { by, partitionsOffered }: SteadySettings) {
    const { workload, settings } = options
    const { partitionWriteUnits } = settings.engine
    const [table] = workload.tables
    if (table === undefined) throw new Error('A workload has a table at least.')
    this.#world = world
    this.#options = options
    this.#table = table
    const now = () => world.now
    this.#watch = new SteadyWatch(now, table, { key: STEADY_KEY, milliseconds: WINDOW_MILLISECONDS })
    this.#load = new SteadyLoad(world, {
      table,
      suffix: settings.table.suffix,
      batch: by === 'batches' ? BATCH : 1,
      // Keys and names are the rest of the last unit.
      itemBytes: 1_024 * Math.max(1, Math.round(partitionWriteUnits / ITEMS_A_PARTITION)) - 300,
      itemsPerSecond: partitionsOffered * ITEMS_A_PARTITION,
      processes: this.#processes.length,
    })
  }

  /** Until it has converged. */
  async converge(): Promise<void> {
    const { clients } = this.#options
    this.#world.observers.push(this.#watch.observe)
    for (const process of this.#processes) {
      const db = clients.get(process)
      if (db !== undefined) this.#load.begin(process, db)
    }
    this.#begunAt = this.#world.now
    const until = this.#begunAt + this.#patienceMilliseconds
    while (this.#world.violation === undefined && !this.#hasConverged()) {
      if (this.#world.now >= until) this.#world.fail(this.#endless())
      else await this.#world.scheduler.run(this.#world.now + LOOK_MILLISECONDS)
    }
    if (this.#world.violation === undefined) this.#checkShares()
    this.#load.end()
    this.#endedAt = this.#world.now
    this.#shardsAtEnd = this.#state?.shards ?? 0
    this.#world.observers.splice(this.#world.observers.indexOf(this.#watch.observe), 1)
  }

  /** Somebody looks at the key now and then, which is how it is noticed that it is quiet. */
  touch(db: Client): Promise<void> {
    return this.#load.touch(db)
  }

  /** How long it is to be left alone before it must have fewer shards. */
  get quietMilliseconds(): number {
    const { jitterMilliseconds } = this.#options.settings.table
    return QUIET_MILLISECONDS + SHRINK_MILLISECONDS + jitterMilliseconds[1] + this.#calendarError
  }

  /** When it was quiet for long enough. */
  checkShrunk(): void {
    const { quiet, shrink, initialShards } = this.#options.settings.table
    const state = this.#state
    if (shrink === 'when-it-pays') {
      this.#checkKept()
      return
    }
    if (!quiet || state === undefined || state.shards <= initialShards) return
    if (state.changedAt > this.#endedAt) return
    const seconds = Math.round((this.#world.now - this.#endedAt) / 1_000)
    const seen = `${STEADY_KEY} has ${state.shards} still, and nobody has written to it for ${seconds} s`
    this.#world.fail(new Violation('a quiet key loses shards', seen, [STEADY_KEY]))
  }

  /** Hardly anybody has read the key since: only those who looked whether it is quiet. */
  #checkKept(): void {
    const shards = this.#state?.shards ?? this.#shardsAtEnd
    if (shards >= this.#shardsAtEnd) return
    const seen = `${STEADY_KEY} had ${this.#shardsAtEnd} shards and has ${shards}, and nobody has read it`
    this.#world.fail(new Violation('a quiet key without readers keeps its shards', seen, [STEADY_KEY]))
  }

  #hasConverged(): boolean {
    const state = this.#state
    if (state === undefined || state.changingSince !== undefined) return false
    const { cacheMilliseconds } = this.#options.settings.table
    const isOld =
      this.#world.now - Math.max(state.seenAt, this.#begunAt) > WINDOW_MILLISECONDS + 1.1 * cacheMilliseconds
    return isOld && this.#watch.refusedShare <= MOST_REFUSED
  }

  #endless(): Violation {
    const percent = Math.round(100 * this.#watch.refusedShare)
    const seen = `of the writes to ${STEADY_KEY} ${percent} % are refused still, and it has ${this.#state?.shards} shards`
    return new Violation('throttling ends', seen, [STEADY_KEY])
  }

  #checkShares(): void {
    const shards = this.#state?.shards ?? 1
    const isRandom = this.#options.settings.table.suffix === 'random'
    const shares = isRandom ? this.#watch.taken(shards) : this.#itemsOf(shards)
    if (areEven(shares)) return
    if (isRandom && areOfCoolerPlaces(shares, (place) => !this.#mayAvoid(place + 1))) return
    const seen = `the shards of ${STEADY_KEY} get ${shares.join(', ')}`
    this.#world.fail(new Violation('shards get even shares', seen, [STEADY_KEY]))
  }

  /** Whether writers may remember a refusal of the shard still, and write less to it. */
  #mayAvoid(shard: number): boolean {
    return this.#world.now - this.#watch.refusedAt(shard) < WINDOW_MILLISECONDS + REFUSAL_MILLISECONDS
  }

  /** How many items are in each shard. */
  #itemsOf(count: number): readonly number[] {
    const items = new Array<number>(count).fill(0)
    for (const { shards } of this.#options.stored.of(this.#table.name, STEADY_KEY)) {
      for (const shard of shards) items[shard - 1] = (items[shard - 1] ?? 0) + 1
    }
    return items
  }

  get #state() {
    return this.#options.watches.get(this.#table.name)?.stateOf(STEADY_KEY)
  }

  get #processes(): readonly Process[] {
    return this.#world.processes.slice(0, MOST_PROCESSES)
  }

  get #patienceMilliseconds(): number {
    const { suffix, cooldownMilliseconds, jitterMilliseconds, cacheMilliseconds, lateMilliseconds } =
      this.#options.settings.table
    const phases = 2 * (cacheMilliseconds + lateMilliseconds) + MOVE_MILLISECONDS
    const change =
      cooldownMilliseconds +
      this.#calendarError +
      NOTICE_MILLISECONDS +
      jitterMilliseconds[1] +
      (suffix === 'calculated' ? phases : 0)
    // A process may still be in a pause that began before the load ended.
    return MOST_CHANGES * change + this.#options.settings.faults.pauseMilliseconds
  }

  /** Two calendars are apart by so much. */
  get #calendarError(): number {
    const { calendarMilliseconds, drift } = this.#options.settings.faults
    return 2 * (calendarMilliseconds + drift * this.#world.elapsed) + 1_000
  }
}
