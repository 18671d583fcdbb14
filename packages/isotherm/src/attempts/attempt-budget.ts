import type { Clock, Random } from '@isotherm/runtime'
import type { UnansweredLog } from './attempt-guard.js'
import type { Refusal, RefusalHooks, Spending } from './attempt-loop.js'
import { backoffMilliseconds } from './backoff.js'
import { MAX_LATE_VIEWS, type SlowTable, slowShardMap } from './slow-shard-map.js'
import { SummedMetadata } from './summed-metadata.js'

/** How far a call may go, and on which clock. */
export interface AttemptLimits {
  readonly clock: Clock
  readonly random: Random
  readonly options: { readonly maxAttempts: number; readonly retryMilliseconds: number }
}

/**
 * What one call of the application may still spend on refusals, by attempts and by time. It is the call's own: however
 * hot its key is, the calls for other keys have theirs.
 */
export class AttemptBudget implements Spending, UnansweredLog {
  readonly #limits: AttemptLimits
  readonly #abortSignal: AbortSignal | undefined
  readonly #startedAt: number
  #waits = 0
  #views = 0
  #failed = 0
  #refused = 0
  /** Of all requests of the call. */
  readonly metadata = new SummedMetadata()
  /** As in an UnansweredLog. */
  unanswered: unknown

  constructor(
    limits: AttemptLimits,
    abortSignal: AbortSignal | undefined,
    startedAt: number = limits.clock.now(),
  ) {
    this.#limits = limits
    this.#abortSignal = abortSignal
    this.#startedAt = startedAt
  }

  /**
   * Takes note of a refusal, and of the attempts without an answer that the SDK made before it. Then waits, or does what else
   * comes before the next attempt.
   *
   * @returns the last word, where no attempt or no time is left
   */
  async refused(
    { error, reasons }: Refusal,
    attempts: number,
    { onThrottle, beforeNext }: RefusalHooks = {},
  ): Promise<Error | undefined> {
    this.#failed += attempts
    this.#refused += 1
    // The wait for the next attempt may be longer than any view.
    this.#views = 0
    const scope = reasons && (await onThrottle?.(reasons, this.#refused))
    if (this.#failed >= this.#limits.options.maxAttempts) return this.exhausted(error)
    return beforeNext === undefined ? this.wait(error) : beforeNext(error, scope)
  }

  /**
   * Waits longer each time.
   * @returns the last word at once, where the wait would end after the deadline
   * @throws the signal's reason
   */
  async wait(error: Error): Promise<Error | undefined> {
    const { clock, random, options } = this.#limits
    const milliseconds = backoffMilliseconds(random, this.#waits++)
    if (clock.now() - this.#startedAt + milliseconds > options.retryMilliseconds) return this.exhausted(error)
    this.metadata.waitedMilliseconds += milliseconds
    await clock.sleep(milliseconds, this.#abortSignal)
    return undefined
  }

  /**
   * Before another look at the shard map, because what it said was too old when an attempt was about to leave.
   * @throws IsothermError `shard-map.slow`, or the last word, where that happens again and again
   */
  requireNewView(table: SlowTable): void {
    this.#views += 1
    if (this.#views > MAX_LATE_VIEWS) throw this.lastWord(slowShardMap(table))
  }

  /**
   * What the application is told where nothing is left to try. After an attempt without an answer a refusal would say too
   * much: the application would take it for not written, and write it once more.
   */
  exhausted(error: Error): Error {
    const { unanswered } = this
    // mark: unanswered-attempt-has-the-last-word
    return this.metadata.counted(unanswered instanceof Error ? unanswered : error)
  }

  /** As `exhausted`, for any error; an abort of the application's own stands. */
  lastWord(error: unknown): unknown {
    return this.#abortSignal?.aborted === true ? error : (this.unanswered ?? error)
  }
}
