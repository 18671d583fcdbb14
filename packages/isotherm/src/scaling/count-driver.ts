import { MoveSender } from '../attempts/move-sender.js'
import { UnitPace } from '../attempts/unit-pace.js'
import type { LogicalKey } from '../keys/key.js'
import { plainKey } from '../keys/key.js'
import {
  complete,
  isClaimed,
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

/** Waits of a second each: a move that is throttled for so long is given up, and begun again later by anybody. */
const MAX_MOVE_ATTEMPTS = 120

/** Progress comes with every page; an event every few seconds is enough to follow it. */
const EVENT_MILLISECONDS = 5_000

/** How a change is brought to its end. */
export interface DriveOptions {
  readonly unitsPerSecond: number
  /** Whether copies at a source are deleted where the target has another item. */
  readonly discards: boolean
  readonly signal: AbortSignal
  readonly onProgress: (progress: PassProgress) => void
}

/**
 * `settled`: nothing is left to do. `overtaken`: another process, or another call in this one, goes on with it.
 * `two-copies`: items were found twice, and the shards that they are in are not forgotten.
 */
export type DriveOutcome = 'settled' | 'overtaken' | 'two-copies'

/**
 * Brings one change of one key's count to its end, from whatever step it has come to: waits, moves and forgets. Nothing is
 * kept in the process that would be missed after a crash: another driver begins at the step that the shard map tells.
 *
 * Each wait is counted by this process's clock and from when it saw the phase itself.
 */
export class CountDriver {
  readonly #table: MovingTable
  readonly #shardMap: ShardMap
  readonly #key: LogicalKey
  readonly #options: DriveOptions
  #state: Unfinished
  #renewedAt: number

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
  }

  /** Drives on from a state that this process has just written. */
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
        // mark: driver-waits
        await this.#wait()
        if (this.#state.phase === 'announced') {
          const moved = await this.#replace(move(this.#state, this.#epochSeconds()))
          this.#state = moved
          this.#tellScaled(moved)
          continue
        }
        // mark: items-move-before-a-change-settles
        const { twoCopies } = await this.#drain()
        if (twoCopies > 0) return 'two-copies'
        await this.#table.clock.sleep(REPLICAS_MILLISECONDS, this.#options.signal)
        this.#tellSettled(await this.#replace(complete(this.#state, this.#epochSeconds())))
        return 'settled'
      } catch (error) {
        if (!(error instanceof PassOvertaken)) throw error
        const outcome = await this.#afterOvertaking()
        if (outcome !== 'goes on') return outcome
      }
    }
  }

  /**
   * Until no request can be carried out any more that was decided on what was before.
   *
   * Counted by timers and not by the clock: the clock adds what a sleeping machine missed, which it takes from the calendar, and
   * a calendar that is set forward would shorten a wait that has several parts.
   */
  async #wait(): Promise<void> {
    let left = phaseMilliseconds(this.#table.options)
    while (left > 0) {
      const part = Math.min(left, RENEW_MILLISECONDS)
      await this.#table.clock.sleep(part, this.#options.signal)
      left -= part
      await this.#renewIfDue()
    }
  }

  async #drain(): Promise<PassProgress> {
    const { clock } = this.#table
    const { unitsPerSecond, discards, signal, onProgress } = this.#options
    const sender = new MoveSender(this.#table, {
      maxAttempts: MAX_MOVE_ATTEMPTS,
      pace: new UnitPace(clock, unitsPerSecond),
      signal,
    })
    let toldAt = clock.now()
    const result = await drainPass(this.#table, this.#key, {
      sender,
      sources: sourceShards(this.#state),
      discards,
      currentView: async () => {
        signal.throwIfAborted()
        await this.#renewIfDue()
        const view = await this.#shardMap.forWrite(this.#key)
        if (!mayMoveItems(view, this.#state)) throw new PassOvertaken()
        return view
      },
      onPage: (progress) => {
        onProgress(progress)
        if (clock.now() - toldAt < EVENT_MILLISECONDS) return
        toldAt = clock.now()
        this.#tellPass('draining', progress)
      },
    })
    this.#tellPass('drained', result)
    return result
  }

  async #renewIfDue(): Promise<void> {
    if (this.#table.clock.now() - this.#renewedAt < RENEW_MILLISECONDS) return
    this.#state = await this.#replace(renew(this.#state, this.#epochSeconds()))
  }

  async #replace<Next extends ShardState>(next: Next): Promise<Next> {
    const replaced = await this.#shardMap.replace(this.#key, this.#state, next)
    if (replaced === undefined) throw new PassOvertaken()
    this.#renewedAt = this.#table.clock.now()
    return replaced
  }

  /**
   * A count that was changed meanwhile is this driver's affair too; a change that somebody has claimed or renewed since is not. It
   * is claimed: of two drivers that go by one and the same state, the slower would not see that the other has settled it.
   */
  async #afterOvertaking(): Promise<DriveOutcome | 'goes on'> {
    const state = await this.#shardMap.reread(this.#key)
    if (state === undefined || !isUnfinished(state)) return 'settled'
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
