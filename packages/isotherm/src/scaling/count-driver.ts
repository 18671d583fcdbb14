import type { Clock } from '@isotherm/runtime'
import { BackgroundClock } from '../attempts/background-clock.js'
import { MoveSender } from '../attempts/move-sender.js'
import type { Pace } from '../attempts/pace.js'
import { openPace } from '../attempts/spare-pace.js'
import type { LogicalKey } from '../keys/key.js'
import { plainKey } from '../keys/key.js'
import {
  complete,
  drain,
  isClaimed,
  isOwn,
  isUnfinished,
  type Moved,
  type MovingTable,
  mayMoveItems,
  move,
  phaseMilliseconds,
  RENEW_MILLISECONDS,
  REPLICAS_MILLISECONDS,
  renew,
  type ShardMap,
  type ShardState,
  sourceShards,
  type Unfinished,
} from '../protocol/index.js'
import { drainPass, PassOvertaken, type PassProgress } from './drain-pass.js'

/** With waits of a second each. A move that is throttled for longer is abandoned, and any process can resume it later. */
const MAX_MOVE_ATTEMPTS = 120

/** The minimum time between progress events, because a pass makes progress with every page. */
const EVENT_MILLISECONDS = 5_000

/**
 * The most items that move at the same time. At a fixed rate there is one for each hundred units: more would wait for their turn, and be
 * throttled together.
 */
const MAX_ITEMS_AT_A_TIME = 8
const UNITS_OF_AN_ITEM = 100

/** How a change is completed. */
export interface DriveOptions {
  /** The fixed rate of moving items; `undefined` to use the capacity that the partitions have to spare. */
  readonly unitsPerSecond: number | undefined
  /** Whether the copy in a source shard is deleted if the target shard has another item. */
  readonly discards: boolean
  readonly signal: AbortSignal
  readonly onProgress: (progress: PassProgress) => void
  /** Whether nobody waits for the result. Then the process may end between two requests, and another one resumes the change. */
  readonly isInBackground: boolean
}

/**
 * The result of working on a change:
 * - `settled`: the change is complete.
 * - `overtaken`: another process, or another call in this process, continues the change.
 * - `two-copies`: some items exist in two shards, so their source shards remain in the shard map.
 */
export type DriveOutcome = 'settled' | 'overtaken' | 'two-copies'

/**
 * Completes one change of one key's shard count, from its current step: it waits, moves the items, and removes the old
 * shards from the shard map. After a crash, another driver resumes at the step that is recorded in the shard map.
 *
 * Each wait uses the clock of this process, and starts when this process observes the phase.
 */
export class CountDriver {
  readonly #table: MovingTable
  readonly #shardMap: ShardMap
  readonly #key: LogicalKey
  readonly #options: DriveOptions
  #state: Unfinished
  #renewedAt: number
  #renewal: Promise<void> | undefined
  readonly #pace: Pace
  readonly #clock: Clock
  /** Of the pass that moves items while the driver waits. */
  #progress: PassProgress | undefined

  private constructor(
    table: MovingTable,
    shardMap: ShardMap,
    key: LogicalKey,
    options: DriveOptions,
    state: Unfinished,
  ) {
    this.#table = table
    this.#shardMap = shardMap
    this.#key = key
    this.#options = options
    this.#state = state
    this.#renewedAt = table.clock.now()
    this.#clock = options.isInBackground ? new BackgroundClock(table.clock) : table.clock
    this.#pace = openPace(this.#clock, options.unitsPerSecond)
  }

  /** Continues the change from a state that this process has just written. Its wait begins now. */
  static drive(
    table: MovingTable,
    shardMap: ShardMap,
    key: LogicalKey,
    options: DriveOptions,
    state: Unfinished,
  ): Promise<DriveOutcome> {
    return new CountDriver(table, shardMap, key, options, state).#run()
  }

  async #run(): Promise<DriveOutcome> {
    for (;;) {
      try {
        const state = this.#state
        if (state.phase === 'announced' || state.phase === 'retired') await this.#wait(this.#options.signal)
        if (state.phase === 'announced') {
          const moved = await this.#replace(move(this.#state as typeof state, this.#epochSeconds()))
          this.#state = moved
          this.#tellScaled(moved)
          continue
        }
        if (state.phase === 'moved') {
          await this.#moveWhileWaiting()
          this.#state = await this.#replace(drain(this.#state as typeof state, this.#epochSeconds()))
          continue
        }
        // No request of *announced* can create items at the old places now, so this pass proves that they are empty.
        // mark: items-move-before-a-change-settles
        const { twoCopies } = await this.#drain()
        if (twoCopies > 0) return 'two-copies'
        await this.#clock.sleep(REPLICAS_MILLISECONDS, this.#options.signal)
        const settled = complete(this.#state as typeof state, this.#epochSeconds())
        if ((await this.#shardMap.end(this.#key, this.#state, settled)) === undefined)
          throw new PassOvertaken()
        this.#tellSettled(settled)
        return 'settled'
      } catch (error) {
        if (!(error instanceof PassOvertaken)) throw error
        const outcome = await this.#afterOvertaking()
        if (outcome !== 'goes on') return outcome
      }
    }
  }

  /**
   * Waits until no request can take effect that was based on the previous state.
   *
   * The wait uses timers instead of `clock.now()`. That clock includes the time that a machine was suspended, which it
   * takes from the system time. Setting the system time forward would shorten a wait that has several parts.
   */
  async #wait(signal: AbortSignal): Promise<void> {
    let left = phaseMilliseconds(this.#table.options)
    while (left > 0) {
      const part = Math.min(left, RENEW_MILLISECONDS)
      // mark: driver-waits
      await this.#clock.sleep(part, signal)
      left -= part
      await this.#renewIfDue()
    }
  }

  /**
   * Moves items from the beginning of the wait on, so that the heat falls soon. Other processes may still create items behind this
   * pass. So it proves nothing, and the end of the wait aborts it.
   */
  async #moveWhileWaiting(): Promise<void> {
    const { signal } = this.#options
    const waited = new AbortController()
    const failed = new AbortController()
    // It may fail while the wait renews the state, which no signal ends: a promise that rejects then would have no handler.
    const moving = this.#pass(AbortSignal.any([signal, waited.signal])).then(
      () => {},
      (error: unknown) => {
        if (!waited.signal.aborted) failed.abort(error)
      },
    )
    try {
      await this.#wait(AbortSignal.any([signal, failed.signal]))
    } finally {
      waited.abort()
      // The pass renews the state, so it has to end before the next phase is written.
      await moving
    }
    failed.signal.throwIfAborted()
  }

  /** Moves the items that are left. Afterwards the source shards are empty, except for items with two copies. */
  async #drain(): Promise<PassProgress> {
    const { signal } = this.#options
    const drained = new AbortController()
    const renewing = this.#renewUntil(AbortSignal.any([signal, drained.signal]))
    try {
      const result = await this.#pass(signal)
      this.#tellPass('drained', result)
      return result
    } finally {
      drained.abort()
      // It writes the state, so it has to end before the change is completed.
      await renewing
    }
  }

  /** A move may be throttled for longer than a change without renewals is left alone. */
  async #renewUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = this.#renewedAt + RENEW_MILLISECONDS - this.#table.clock.now()
      // At least a second, so that a renewal that fails is not repeated at once.
      await this.#clock.sleep(Math.max(1_000, due), signal).catch(() => {})
      // What stops a renewal also stops the pass, which renews the state itself before its next item.
      if (!signal.aborted) await this.#renewIfDue().catch(() => {})
    }
  }

  async #pass(signal: AbortSignal): Promise<PassProgress> {
    const { client, clock, random, options } = this.#table
    const { discards, onProgress } = this.#options
    const sends = { client, clock: this.#clock, random, options }
    const earlier = this.#progress
    let toldAt = clock.now()
    const result = await drainPass(this.#table, this.#key, {
      sender: new MoveSender(sends, { maxAttempts: MAX_MOVE_ATTEMPTS, pace: this.#pace, signal }),
      sources: sourceShards(this.#state),
      discards,
      itemsAtATime: itemsAtATime(this.#options),
      currentView: async () => {
        signal.throwIfAborted()
        await this.#renewIfDue()
        const view = await this.#shardMap.forWrite(this.#key)
        if (!mayMoveItems(view, this.#state)) throw new PassOvertaken()
        return view
      },
      onPage: (page) => {
        const progress = together(earlier, page)
        this.#progress = progress
        onProgress(progress)
        if (clock.now() - toldAt < EVENT_MILLISECONDS) return
        toldAt = clock.now()
        this.#tellPass('draining', progress)
      },
    })
    return together(earlier, result)
  }

  /** Only one renewal at a time: a second one would find that the first has changed the state. */
  async #renewIfDue(): Promise<void> {
    if (this.#table.clock.now() - this.#renewedAt < RENEW_MILLISECONDS) return
    this.#renewal ??= this.#replace(renew(this.#state, this.#epochSeconds()))
      .then((renewed) => {
        this.#state = renewed
      })
      .finally(() => {
        this.#renewal = undefined
      })
    await this.#renewal
  }

  async #replace<Next extends ShardState>(next: Next): Promise<Next> {
    const replaced = await this.#shardMap.replace(this.#key, this.#state, next)
    if (replaced === undefined) throw new PassOvertaken()
    this.#renewedAt = this.#table.clock.now()
    return replaced
  }

  /**
   * Continues if the count was changed during the work and no driver has claimed or renewed that change, and stops
   * otherwise. To continue, the driver claims the change. If two drivers used the same state, the slower one could not
   * detect that the other has settled it.
   */
  async #afterOvertaking(): Promise<DriveOutcome | 'goes on'> {
    const state = await this.#shardMap.reread(this.#key)
    if (!isOwn(state) || !isUnfinished(state)) return 'settled'
    if (isClaimed(state)) return 'overtaken'
    const claimed = await this.#shardMap.replace(this.#key, state, renew(state, this.#epochSeconds()))
    if (claimed === undefined) return 'overtaken'
    this.#state = claimed
    this.#renewedAt = this.#table.clock.now()
    return 'goes on'
  }

  #tellScaled({ from, to }: Moved): void {
    this.#table.emit({ type: 'scaled', ...this.#about(), from, to, reason: 'announced' })
  }

  #tellSettled({ shards }: ShardState): void {
    this.#table.emit({ type: 'settled', ...this.#about(), shards })
  }

  #tellPass(type: 'draining' | 'drained', progress: PassProgress): void {
    this.#table.emit({ type, ...this.#about(), ...progress })
  }

  #about() {
    return {
      table: this.#table.options.name,
      logicalKey: plainKey(this.#key),
      at: this.#table.clock.now(),
    }
  }

  #epochSeconds(): number {
    return Math.floor(this.#table.clock.now() / 1_000)
  }
}

function itemsAtATime({ unitsPerSecond }: DriveOptions): number {
  const most =
    unitsPerSecond === undefined ? MAX_ITEMS_AT_A_TIME : Math.floor(unitsPerSecond / UNITS_OF_AN_ITEM)
  return Math.max(1, Math.min(MAX_ITEMS_AT_A_TIME, most))
}

/** Adds what an earlier pass has read and moved. */
function together(earlier: PassProgress | undefined, page: PassProgress): PassProgress {
  if (earlier === undefined) return page
  return { ...page, scanned: earlier.scanned + page.scanned, moved: earlier.moved + page.moved }
}
