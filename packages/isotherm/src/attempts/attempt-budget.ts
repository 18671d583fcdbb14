import type { Clock, Random } from '@isotherm/runtime'
import type { UnansweredLog } from './attempt-guard.js'
import type { Refusal, RefusalHooks, Spending } from './attempt-loop.js'
import { backoffMilliseconds } from './backoff.js'
import { MAX_LATE_VIEWS, type SlowTable, slowShardMap } from './slow-shard-map.js'
import { SummedMetadata } from './summed-metadata.js'

/** The limits of a call's attempts, and the clock that measures them. */
export interface AttemptLimits {
  readonly clock: Clock
  readonly random: Random
  readonly options: { readonly maxAttempts: number; readonly retryMilliseconds: number }
}

/**
 * The attempts and the time that one call of the application may still spend on refused requests. Each call has its own budget,
 * so a hot key does not use up the retries of calls for other keys.
 */
export class AttemptBudget implements Spending, UnansweredLog {
  readonly #limits: AttemptLimits
  readonly #abortSignal: AbortSignal | undefined
  #startedAt: number
  #waits = 0
  #views = 0
  #failed = 0
  #refused = 0
  /** The sum for all requests of the call. */
  readonly metadata = new SummedMetadata()
  /** See UnansweredLog. */
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
   * Records a refusal, and the attempts without a response that the SDK made before it. Then waits, or calls `beforeNext` instead.
   *
   * @returns the error for the application if no attempt or no time is left
   */
  async refused(
    { error, reasons }: Refusal,
    attempts: number,
    hooks: RefusalHooks = {},
  ): Promise<Error | undefined> {
    this.#failed += attempts
    this.#refused += 1
    // The wait before the next attempt may be longer than the lifetime of a view.
    this.#views = 0
    const scope = reasons && (await hooks.onThrottle?.(reasons, this.#refused))
    if (this.#failed >= this.#limits.options.maxAttempts) return this.exhausted(error)
    return hooks.beforeNext === undefined ? this.wait(error) : hooks.beforeNext(error, scope)
  }

  /**
   * Waits before the next attempt, longer each time.
   * @param factor how many times longer than for a single request
   * @returns the error for the application, without waiting, if the wait would end after the deadline
   * @throws the reason of the abort signal
   */
  async wait(error: Error, factor = 1): Promise<Error | undefined> {
    const { clock, random, options } = this.#limits
    const milliseconds = factor * backoffMilliseconds(random, this.#waits++)
    if (clock.now() - this.#startedAt + milliseconds > options.retryMilliseconds) return this.exhausted(error)
    this.metadata.waitedMilliseconds += milliseconds
    await clock.sleep(milliseconds, this.#abortSignal)
    return undefined
  }

  /**
   * Waits for something other than capacity, which does not use up the time for refused requests.
   * @throws the reason of the abort signal
   */
  async pause(milliseconds: number): Promise<void> {
    this.#startedAt += milliseconds
    this.metadata.waitedMilliseconds += milliseconds
    await this.#limits.clock.sleep(milliseconds, this.#abortSignal)
  }

  /**
   * Call this before reading the shard map again because the view expired before an attempt was sent.
   * @throws IsothermError `shard-map.slow`, or the error of an unanswered attempt, if that happens too often in a row
   */
  requireNewView(table: SlowTable): void {
    this.#views += 1
    const { clock, options } = this.#limits
    // An attempt whose view expired before it had a response is an attempt like any other. A second one is made in any case: the
    // first one alone may have waited for longer than the deadline.
    const isLate = this.#views > 1 && clock.now() - this.#startedAt > options.retryMilliseconds
    const isSpent = isLate || this.metadata.attempts >= options.maxAttempts
    if (this.unanswered instanceof Error && isSpent) throw this.exhausted(this.unanswered)
    if (this.#views > MAX_LATE_VIEWS) throw this.lastWord(slowShardMap(table))
  }

  /**
   * Returns the error for the application when the budget is used up. After an attempt without a response, this is the error of
   * that attempt. A refusal would be misleading: the application would assume that nothing was written, and write again.
   */
  exhausted(error: Error): Error {
    const { unanswered } = this
    // mark: unanswered-attempt-has-the-last-word
    return this.metadata.counted(unanswered instanceof Error ? unanswered : error)
  }

  /** Like `exhausted`, but for any error. If the application aborted the call, returns the error unchanged. */
  lastWord(error: unknown): unknown {
    return this.#abortSignal?.aborted === true ? error : (this.unanswered ?? error)
  }
}
