import { isRefusedByCondition } from '../sdk/condition-refusal.js'
import type { AttemptLog } from './attempt-guard.js'
import { withAttempts } from './attempt-metadata.js'
import { backoffMilliseconds } from './backoff.js'
import { isCancellation } from './cancellation.js'
import type { SendingTable } from './sending-table.js'
import { MAX_LATE_VIEWS, slowShardMap } from './slow-shard-map.js'

/**
 * What one call of the application may still spend on refusals, by attempts and by time. It is the call's own: however
 * hot its key is, the calls for other keys have theirs.
 */
export class AttemptBudget {
  readonly #table: Pick<SendingTable, 'clock' | 'random' | 'options'>
  readonly #abortSignal: AbortSignal | undefined
  readonly #startedAt: number
  #waits = 0
  #views = 0
  #failed = 0
  #refused = 0
  readonly log: AttemptLog = { unanswered: undefined }
  /** Attempts of all requests of the call, whatever came of them. */
  attempts = 0
  /** Total of the waits. */
  waitedMilliseconds = 0

  constructor(
    table: Pick<SendingTable, 'clock' | 'random' | 'options'>,
    abortSignal: AbortSignal | undefined,
  ) {
    this.#table = table
    this.#abortSignal = abortSignal
    this.#startedAt = table.clock.now()
  }

  /**
   * Takes note of a refusal, and of the attempts without an answer that the SDK made before it.
   * @returns how many attempts of the call have been refused
   */
  refuse(attempts = 1): number {
    this.#failed += attempts
    this.#refused += 1
    // The wait for the next attempt may be longer than any view.
    this.#views = 0
    return this.#refused
  }

  /** @throws the last word, where no attempt is left */
  requireMore(error: Error): void {
    if (this.#failed >= this.#table.options.maxAttempts) throw this.exhausted(error)
  }

  /**
   * Waits longer each time.
   * @throws the last word, where the wait would end after the deadline; the signal's reason
   */
  wait(error: Error): Promise<void> {
    const { clock, random, options } = this.#table
    const milliseconds = backoffMilliseconds(random, this.#waits++)
    if (clock.now() - this.#startedAt + milliseconds > options.retryMilliseconds) throw this.exhausted(error)
    this.waitedMilliseconds += milliseconds
    return clock.sleep(milliseconds, this.#abortSignal)
  }

  /**
   * Before another look at the shard map, because what it said was too old when an attempt was about to leave.
   * @throws IsothermError `shard-map.slow`, or the last word, where that happens again and again
   */
  requireNewView(): void {
    this.#views += 1
    if (this.#views > MAX_LATE_VIEWS) throw this.lastWord(slowShardMap(this.#table.options))
  }

  /**
   * What the application is told where nothing is left to try. After an attempt without an answer a refusal would say too
   * much: the application would take it for not written, and write it once more.
   */
  exhausted(error: Error): Error {
    const { unanswered } = this.log
    // mark: unanswered-attempt-has-the-last-word
    return this.counted(unanswered instanceof Error ? unanswered : error)
  }

  /** As `exhausted`, for any error; what a condition or the application itself has said stands. */
  lastWord(error: unknown): unknown {
    const isSaid = isRefusedByCondition(error) || isCancellation(error) || this.#abortSignal?.aborted === true
    return isSaid ? error : (this.log.unanswered ?? error)
  }

  /** The error, telling of every attempt. */
  counted<Failure extends Error>(error: Failure): Failure {
    return withAttempts(error, this.attempts, this.waitedMilliseconds)
  }
}
