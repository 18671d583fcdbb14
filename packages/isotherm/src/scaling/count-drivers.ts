import { type Random, randomInteger } from '@isotherm/runtime'
import { BackgroundClock } from '../attempts/background-clock.js'
import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../keys/key.js'
import {
  type Announced,
  type AtRest,
  begin,
  isAbandoned,
  isNoRoom,
  isOwn,
  isUnfinished,
  isUnwritten,
  type MovingTable,
  RENEW_MILLISECONDS,
  renew,
  type ShardMap,
  type ShardState,
  type Unfinished,
  WATCH_MILLISECONDS,
} from '../protocol/index.js'
import { CountDriver, type DriveOptions, type DriveOutcome } from './count-driver.js'

/** The maximum number of concurrent changes in one process. Another process, or this one later, completes the rest. */
const MAX_DRIVERS = 16

/** The delay before a key with two copies, or without room for an item, is tried again, because only an operator can resolve that. */
const FOR_OPERATOR_MILLISECONDS = 3_600_000

/** The number of attempts at a claim while other processes write the same item. */
const MAX_CLAIMS = 5

export interface CountDriversOptions {
  readonly table: MovingTable
  readonly shardMap: ShardMap
  readonly random: Random
  readonly unitsPerSecond: number | undefined
  /** Stops all drivers when the client is destroyed. Other processes resume their changes. */
  readonly signal: AbortSignal
  readonly onFailed: (error: unknown) => void
}

/** The task of a key. */
interface Running {
  readonly controller: AbortController
  /** Whether it waits to see whether another process still drives the change, and drives nothing itself. */
  onlyWatches: boolean
}

type Work = (signal: AbortSignal, running: Running) => Promise<DriveOutcome>

/** The changes of shard counts that this process completes, with one driver for each key. */
export class CountDrivers {
  readonly #options: CountDriversOptions
  readonly #running = new Map<string, Running>()
  readonly #leftAlone = new RecentlyUsedMap<string, number>(1_000)

  constructor(options: CountDriversOptions) {
    this.#options = options
  }

  firstStep(state: AtRest, to: number, epochSeconds: number): AtRest | Announced {
    return begin(this.#options.table.placementKind, state, to, epochSeconds)
  }

  /**
   * Continues the change in the background, from a state that this process has just written. If the key already has a
   * driver, that driver continues the change.
   */
  begin(key: LogicalKey, state: Unfinished): void {
    // A watch of an abandoned change is no driver, and this change has replaced that one.
    const watches = this.#running.get(keyText(key))?.onlyWatches === true
    if (watches || this.#mayBegin(key)) this.#driveInBackground(key, state)
  }

  /**
   * Takes over an unfinished change in the background. It ignores the maximum of concurrent changes, because the
   * application requested it explicitly.
   * @returns `undefined` if nothing is unfinished, or if other processes keep claiming the change
   */
  async resume(key: LogicalKey): Promise<ShardState | undefined> {
    const { shardMap, signal } = this.#options
    const state = await this.#claim(key, signal)
    if (typeof state === 'string') return undefined
    // If this process has claimed the change again since, that claim has a driver.
    if (isUnwritten(state, shardMap.peek(key))) this.#driveInBackground(key, state)
    return state
  }

  /**
   * Claims an abandoned change that a read of the shard map showed, if it does not change while this process watches. The time is
   * random, which lets one of several processes claim it first.
   */
  noticed(key: LogicalKey, state: ShardState): void {
    // mark: abandoned-change-is-claimed
    if (!isUnfinished(state) || !this.#isLeft(key, state) || !this.#mayBegin(key)) return
    this.#inBackground(key, async (signal, running) => {
      const { shardMap, random, table } = this.#options
      const clock = new BackgroundClock(table.clock)
      running.onlyWatches = true
      await clock.sleep(WATCH_MILLISECONDS + randomInteger(random, 0, RENEW_MILLISECONDS / 2), signal)
      const now = await shardMap.reread(key)
      if (now === undefined || !isUnfinished(now) || !isUnwritten(state, now)) return 'overtaken'
      const claimed = await shardMap.replace(key, now, renew(now, this.#epochSeconds()))
      // A change that was begun meanwhile has its own driver.
      if (claimed === undefined || signal.aborted) return 'overtaken'
      running.onlyWatches = false
      return this.#drive(key, claimed, this.#background(signal))
    })
  }

  /** Takes over a change and completes it, while the caller waits for the result. */
  driveNow(key: LogicalKey, options: DriveOptions): Promise<DriveOutcome> {
    return this.#run(key, async (running) => {
      const signal = AbortSignal.any([options.signal, running])
      const claimed = await this.#claim(key, signal)
      return typeof claimed === 'string' ? claimed : this.#drive(key, claimed, { ...options, signal })
    })
  }

  /**
   * Claims a change for this process, so that any other process working on it stops.
   * @returns `settled` if nothing is unfinished; `overtaken` if other processes keep writing the state first
   */
  async #claim(key: LogicalKey, signal: AbortSignal): Promise<Unfinished | 'settled' | 'overtaken'> {
    const { shardMap } = this.#options
    for (let attempt = 0; attempt < MAX_CLAIMS; attempt++) {
      const state = await shardMap.reread(key)
      if (!isOwn(state) || !isUnfinished(state)) return 'settled'
      signal.throwIfAborted()
      const claimed = await shardMap.replace(key, state, renew(state, this.#epochSeconds()))
      if (claimed !== undefined) return claimed
    }
    return 'overtaken'
  }

  async #drive(key: LogicalKey, state: Unfinished, options: DriveOptions): Promise<DriveOutcome> {
    const { table, shardMap } = this.#options
    const leaveAlone = () => this.#leftAlone.set(keyText(key), table.clock.now() + FOR_OPERATOR_MILLISECONDS)
    const outcome = await CountDriver.drive(table, shardMap, key, options, state).catch((error: unknown) => {
      if (isNoRoom(error)) leaveAlone()
      throw error
    })
    if (outcome === 'two-copies') leaveAlone()
    return outcome
  }

  #mayBegin(key: LogicalKey): boolean {
    return !this.#running.has(keyText(key)) && this.#running.size < MAX_DRIVERS
  }

  #driveInBackground(key: LogicalKey, state: Unfinished): void {
    this.#inBackground(key, (signal) => this.#drive(key, state, this.#background(signal)))
  }

  #inBackground(key: LogicalKey, work: Work): void {
    const { signal, onFailed } = this.#options
    this.#run(key, work).catch((error: unknown) => {
      if (!signal.aborted) onFailed(error)
    })
  }

  /** Runs the task instead of a running task of this process for the key, which returns `overtaken`. */
  async #run(key: LogicalKey, work: Work): Promise<DriveOutcome> {
    const text = keyText(key)
    const controller = new AbortController()
    const running = { controller, onlyWatches: false }
    this.#running.get(text)?.controller.abort()
    this.#running.set(text, running)
    try {
      return await work(AbortSignal.any([controller.signal, this.#options.signal]), running)
    } catch (error) {
      if (controller.signal.aborted) return 'overtaken'
      throw error
    } finally {
      if (this.#running.get(text) === running) this.#running.delete(text)
    }
  }

  #background(signal: AbortSignal): DriveOptions {
    const { unitsPerSecond } = this.#options
    return { unitsPerSecond, discards: false, signal, onProgress: () => {}, isInBackground: true }
  }

  #isLeft(key: LogicalKey, state: ShardState): boolean {
    const { clock, options } = this.#options.table
    const now = clock.now()
    return isAbandoned(options, state, now) && now >= (this.#leftAlone.peek(keyText(key)) ?? 0)
  }

  #epochSeconds(): number {
    return Math.floor(this.#options.table.clock.now() / 1_000)
  }
}
