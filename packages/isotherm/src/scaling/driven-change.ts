import type { Clock } from '@isotherm/runtime'
import type { LogicalKey } from '../keys/key.js'
import {
  isClaimed,
  isOwn,
  isUnfinished,
  mayMoveItems,
  RENEW_MILLISECONDS,
  renew,
  type ShardMap,
  type ShardView,
  type Unfinished,
} from '../protocol/index.js'
import { PassOvertaken } from './drain-pass.js'

/**
 * The change that a driver works on, as the driver wrote it last. The driver renews it, which shows other processes that somebody works
 * on it. If another process has written the state, the driver finds out at its next write.
 */
export class DrivenChange {
  readonly #shardMap: ShardMap
  readonly #key: LogicalKey
  readonly #clock: Clock
  #state: Unfinished
  #writtenAt: number
  #renewal: Promise<void> | undefined

  /** @param state which this process has just written */
  constructor(shardMap: ShardMap, key: LogicalKey, clock: Clock, state: Unfinished) {
    this.#shardMap = shardMap
    this.#key = key
    this.#clock = clock
    this.#state = state
    this.#writtenAt = clock.now()
  }

  get state(): Unfinished {
    return this.#state
  }

  /**
   * Writes a later state.
   * @throws PassOvertaken if another process was first
   */
  async replace<Next extends Unfinished>(next: Next): Promise<Next> {
    const replaced = await this.#shardMap.replace(this.#key, this.#state, next)
    if (replaced === undefined) throw new PassOvertaken()
    this.#written(replaced)
    return replaced
  }

  /**
   * Only one renewal at a time: a second one would find that the first has changed the state.
   * @throws PassOvertaken if another process was first
   */
  async renewIfDue(): Promise<void> {
    if (this.#clock.now() - this.#writtenAt < RENEW_MILLISECONDS) return
    this.#renewal ??= this.replace(renew(this.#state, this.epochSeconds()))
      .then(() => {})
      .finally(() => {
        this.#renewal = undefined
      })
    await this.#renewal
  }

  /**
   * Returns a view of the shard map that lets this driver move items.
   * @throws PassOvertaken if the state is not the one that the driver has written last
   */
  async confirm(view: ShardView): Promise<ShardView> {
    // The view may show a renewal of this driver whose response has not arrived yet.
    if (!mayMoveItems(view, this.#state)) await this.#renewal
    if (!mayMoveItems(view, this.#state)) throw new PassOvertaken()
    return view
  }

  /** Renews the state until the signal aborts. Requests of the driver may be throttled for longer than a change is left alone. */
  async renewUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = this.#writtenAt + RENEW_MILLISECONDS - this.#clock.now()
      // At least a second, so that a renewal that fails is not repeated at once.
      await this.#clock.sleep(Math.max(1_000, due), signal).catch(() => {})
      // An error that stops a renewal also stops the pass, which renews the state itself before its next item.
      if (!signal.aborted) await this.renewIfDue().catch(() => {})
    }
  }

  /**
   * Claims the change again if its count was changed during the work, and no driver has claimed or renewed it since. If two drivers used
   * the same state, the slower one could not detect that the other has settled it.
   * @returns `settled` if nothing is unfinished; `overtaken` if the change has another driver
   */
  async claimAgain(): Promise<'claimed' | 'settled' | 'overtaken'> {
    const state = await this.#shardMap.reread(this.#key)
    if (!isOwn(state) || !isUnfinished(state)) return 'settled'
    if (isClaimed(state)) return 'overtaken'
    const claimed = await this.#shardMap.replace(this.#key, state, renew(state, this.epochSeconds()))
    if (claimed === undefined) return 'overtaken'
    this.#written(claimed)
    return 'claimed'
  }

  /** The time of the next state. */
  epochSeconds(): number {
    return Math.floor(this.#clock.now() / 1_000)
  }

  #written(state: Unfinished): void {
    this.#state = state
    this.#writtenAt = this.#clock.now()
  }
}
