import { type Random, randomInteger } from '@isotherm/runtime'
import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../keys/key.js'
import {
  type Announced,
  type AtRest,
  begin,
  isAbandoned,
  isUnfinished,
  isUnwritten,
  type MovingTable,
  RENEW_MILLISECONDS,
  renew,
  type ShardMap,
  type ShardState,
  type Unfinished,
} from '../protocol/index.js'
import { CountDriver, type DriveOptions, type DriveOutcome } from './count-driver.js'

/** Changes that a process drives in the background at a time. Of more, another process takes care, or this one later. */
const MAX_DRIVERS = 16

/** Two copies are for people; until they have looked there is no use in reading all items again and again. */
const TWO_COPIES_MILLISECONDS = 3_600_000

/** How often a claim is tried when others write the item at the same time. */
const MAX_CLAIMS = 5

export interface CountDriversOptions {
  readonly table: MovingTable
  readonly shardMap: ShardMap
  readonly random: Random
  readonly unitsPerSecond: number
  /** Ends all drivers when the client is destroyed; others go on from where they were. */
  readonly signal: AbortSignal
  readonly onFailed: (error: unknown) => void
}

/** The changes of counts that this process brings to their end, one driver for a key. */
export class CountDrivers {
  readonly #options: CountDriversOptions
  readonly #running = new Map<string, AbortController>()
  readonly #leftAlone = new RecentlyUsedMap<string, number>(1_000)

  constructor(options: CountDriversOptions) {
    this.#options = options
  }

  firstStep(state: AtRest, to: number, epochSeconds: number): AtRest | Announced {
    return begin(this.#options.table.placementKind, state, to, epochSeconds)
  }

  /** Drives on in the background from a state that this process has just written; a driver that it has for the key goes on with it. */
  begin(key: LogicalKey, state: Unfinished): void {
    if (this.#mayBegin(key)) this.#driveInBackground(key, state)
  }

  /**
   * Drives on in the background in the place of whoever was at it, also beyond the bound: people have asked for it.
   * @returns `undefined` where nothing is unfinished, or others are at it
   */
  async resume(key: LogicalKey): Promise<ShardState | undefined> {
    const { shardMap, signal } = this.#options
    const state = await this.#claim(key, signal)
    if (typeof state === 'string') return undefined
    // A later claim of this process has a driver of its own.
    if (isUnwritten(state, shardMap.peek(key))) this.#driveInBackground(key, state)
    return state
  }

  /**
   * Looks at what was read of the shard map for a change that was left. Of the processes that notice it one claims it, after
   * a random wait; that the calendar of a process may be wrong costs a second driver at most, which does no harm.
   */
  noticed(key: LogicalKey, state: ShardState): void {
    // mark: abandoned-change-is-claimed
    if (!isUnfinished(state) || !this.#isLeft(key, state) || !this.#mayBegin(key)) return
    this.#inBackground(key, async (signal) => {
      const { shardMap, random, table } = this.#options
      await table.clock.sleep(randomInteger(random, 0, RENEW_MILLISECONDS), signal)
      const now = await shardMap.reread(key)
      if (now === undefined || !isUnfinished(now) || !isUnwritten(state, now)) return 'overtaken'
      const claimed = await shardMap.replace(key, now, renew(now, this.#epochSeconds()))
      if (claimed === undefined) return 'overtaken'
      return this.#drive(key, claimed, this.#background(signal))
    })
  }

  /** Drives a change to its end for a caller who waits, in the place of whoever was at it. */
  driveNow(key: LogicalKey, options: DriveOptions): Promise<DriveOutcome> {
    return this.#run(key, async (running) => {
      const signal = AbortSignal.any([options.signal, running])
      const claimed = await this.#claim(key, signal)
      return typeof claimed === 'string' ? claimed : this.#drive(key, claimed, { ...options, signal })
    })
  }

  /**
   * Makes a change this process's own; whoever was at it stands down.
   * @returns `settled` where nothing is unfinished, `overtaken` where others are faster again and again
   */
  async #claim(key: LogicalKey, signal: AbortSignal): Promise<Unfinished | 'settled' | 'overtaken'> {
    const { shardMap } = this.#options
    for (let attempt = 0; attempt < MAX_CLAIMS; attempt++) {
      const state = await shardMap.reread(key)
      if (state === undefined || !isUnfinished(state)) return 'settled'
      signal.throwIfAborted()
      const claimed = await shardMap.replace(key, state, renew(state, this.#epochSeconds()))
      if (claimed !== undefined) return claimed
    }
    return 'overtaken'
  }

  async #drive(key: LogicalKey, state: Unfinished, options: DriveOptions): Promise<DriveOutcome> {
    const { table, shardMap } = this.#options
    const outcome = await CountDriver.drive(table, shardMap, key, options, state)
    if (outcome === 'two-copies') {
      this.#leftAlone.set(keyText(key), table.clock.now() + TWO_COPIES_MILLISECONDS)
    }
    return outcome
  }

  #mayBegin(key: LogicalKey): boolean {
    return !this.#running.has(keyText(key)) && this.#running.size < MAX_DRIVERS
  }

  #driveInBackground(key: LogicalKey, state: Unfinished): void {
    this.#inBackground(key, (signal) => this.#drive(key, state, this.#background(signal)))
  }

  #inBackground(key: LogicalKey, work: (signal: AbortSignal) => Promise<DriveOutcome>): void {
    const { signal, onFailed } = this.#options
    this.#run(key, work).catch((error: unknown) => {
      if (!signal.aborted) onFailed(error)
    })
  }

  /** In the place of whoever in this process is at it, who is told that it is overtaken. */
  async #run(key: LogicalKey, work: (signal: AbortSignal) => Promise<DriveOutcome>): Promise<DriveOutcome> {
    const text = keyText(key)
    const controller = new AbortController()
    this.#running.get(text)?.abort()
    this.#running.set(text, controller)
    try {
      return await work(AbortSignal.any([controller.signal, this.#options.signal]))
    } catch (error) {
      if (controller.signal.aborted) return 'overtaken'
      throw error
    } finally {
      if (this.#running.get(text) === controller) this.#running.delete(text)
    }
  }

  #background(signal: AbortSignal): DriveOptions {
    const { unitsPerSecond } = this.#options
    return { unitsPerSecond, discards: false, signal, onProgress: () => {} }
  }

  #isLeft(key: LogicalKey, state: ShardState): boolean {
    const now = this.#options.table.clock.now()
    return isAbandoned(state, now) && now >= (this.#leftAlone.peek(keyText(key)) ?? 0)
  }

  #epochSeconds(): number {
    return Math.floor(this.#options.table.clock.now() / 1_000)
  }
}
