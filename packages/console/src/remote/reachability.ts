import type { Clock } from '@isotherm/runtime'
import { isUnreachable } from './remote-failure.js'

/** While it is lost, somebody waits for it. */
const LOST_MILLISECONDS = 5_000
/** An endpoint that takes longer for a simple request is of no use to a person who waits. */
const MAX_ANSWER_MILLISECONDS = 5_000

export interface ReachabilityOptions {
  /** Sends a request that costs nothing. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>
  readonly clock: Clock
  /** How often to look while the endpoint answers. */
  readonly checkMilliseconds: number
  /** Called when the endpoint answers again. */
  readonly onReturn: () => void
}

/**
 * Whether an endpoint answers. It is looked at while somebody wants to know. A refusal is an answer too.
 */
export class Reachability {
  readonly #options: ReachabilityOptions
  #lostSince: number | undefined
  #isLooking = false
  #nextLook = Number.NEGATIVE_INFINITY

  constructor(options: ReachabilityOptions) {
    this.#options = options
  }

  /** Since when it has not answered, in milliseconds since the epoch, as far as known. Looks again if it is time. */
  lostSince(): number | undefined {
    if (!this.#isLooking && this.#options.clock.now() >= this.#nextLook) this.#look()
    return this.#lostSince
  }

  /** Looks again soon, because a question failed. */
  suspect(): void {
    if (this.#lostSince === undefined) this.#nextLook = Number.NEGATIVE_INFINITY
  }

  async #look(): Promise<void> {
    const { clock, checkMilliseconds, onReturn } = this.#options
    this.#isLooking = true
    const began = clock.now()
    const isThere = await this.#answers()
    this.#isLooking = false
    this.#nextLook = began + (isThere ? checkMilliseconds : LOST_MILLISECONDS)
    const wasLost = this.#lostSince !== undefined
    this.#lostSince = isThere ? undefined : (this.#lostSince ?? began)
    if (wasLost && isThere) onReturn()
  }

  async #answers(): Promise<boolean> {
    const { ask, clock } = this.#options
    const [work, timer] = [new AbortController(), new AbortController()]
    clock.sleep(MAX_ANSWER_MILLISECONDS, timer.signal, { mayEndProcess: true }).then(
      () => work.abort(new Error('It has not answered in time.')),
      () => undefined,
    )
    try {
      await ask(work.signal)
      return true
    } catch (error) {
      return !work.signal.aborted && !isUnreachable(error)
    } finally {
      timer.abort(new Error('It has answered.'))
    }
  }
}
