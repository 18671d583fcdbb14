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
  isNoRoom,
  type Moved,
  type MovingTable,
  move,
  phaseMilliseconds,
  RENEW_MILLISECONDS,
  REPLICAS_MILLISECONDS,
  type ShardMap,
  type ShardState,
  sourceShards,
  type Unfinished,
} from '../protocol/index.js'
import { drainPass, PassOvertaken, type PassProgress } from './drain-pass.js'
import { DrivenChange } from './driven-change.js'

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
  readonly #clock: Clock
  readonly #change: DrivenChange
  readonly #pace: Pace
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
    this.#clock = options.isInBackground ? new BackgroundClock(table.clock) : table.clock
    this.#change = new DrivenChange(shardMap, key, this.#clock, state)
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
    const change = this.#change
    for (;;) {
      try {
        const { state } = change
        if (state.phase === 'announced' || state.phase === 'retired') await this.#wait(this.#options.signal)
        if (state.phase === 'announced') {
          const moved = await change.replace(move(change.state as typeof state, change.epochSeconds()))
          this.#tellScaled(moved)
          continue
        }
        if (state.phase === 'moved') {
          await this.#moveWhileWaiting()
          await change.replace(drain(change.state as typeof state, change.epochSeconds()))
          continue
        }
        // No request of *announced* can create items at the old places now, so this pass proves that they are empty.
        // mark: items-move-before-a-change-settles
        const { twoCopies } = await this.#drain()
        if (twoCopies > 0) return 'two-copies'
        await this.#clock.sleep(REPLICAS_MILLISECONDS, this.#options.signal)
        const settled = complete(change.state as typeof state, change.epochSeconds())
        if ((await this.#shardMap.end(this.#key, change.state, settled)) === undefined)
          throw new PassOvertaken()
        this.#tellSettled(settled)
        return 'settled'
      } catch (error) {
        if (!(error instanceof PassOvertaken)) throw error
        const outcome = await change.claimAgain()
        if (outcome !== 'claimed') return outcome
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
      await this.#change.renewIfDue()
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
        // The pass that follows the wait reports an item without room. By then, creations are plain writes again.
        if (!waited.signal.aborted && !isNoRoom(error)) failed.abort(error)
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
    const renewing = this.#change.renewUntil(AbortSignal.any([signal, drained.signal]))
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

  async #pass(signal: AbortSignal): Promise<PassProgress> {
    const { client, clock, random, options } = this.#table
    const { discards, onProgress } = this.#options
    const sends = { client, clock: this.#clock, random, options }
    const earlier = this.#progress
    let toldAt = clock.now()
    const result = await drainPass(this.#table, this.#key, {
      sender: new MoveSender(sends, { maxAttempts: MAX_MOVE_ATTEMPTS, pace: this.#pace, signal }),
      sources: sourceShards(this.#change.state),
      discards,
      itemsAtATime: itemsAtATime(this.#options),
      currentView: async () => {
        signal.throwIfAborted()
        await this.#change.renewIfDue()
        return this.#change.confirm(await this.#shardMap.forWrite(this.#key))
      },
      confirmed: async () => {
        if (this.#table.placementKind === 'calculated') return
        await this.#change.confirm(await this.#shardMap.forRead(this.#key, { consistent: true }))
      },
      onPage: (page) => {
        const progress = together(earlier, page)
        this.#progress = progress
        onProgress(progress)
        if (clock.now() - toldAt < EVENT_MILLISECONDS) return
        toldAt = clock.now()
        this.#tellPass('draining', progress)
      },
    }).catch((error: unknown) => {
      // A request that was under way fails with the SDK's own text.
      signal.throwIfAborted()
      throw error
    })
    return together(earlier, result)
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
