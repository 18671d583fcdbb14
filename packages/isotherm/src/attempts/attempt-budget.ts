import { IsothermError } from '../errors/isotherm-error.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { withAttempts } from './attempt-metadata.js'
import { backoffMilliseconds } from './backoff.js'

/** Looks at the shard map that came too late, each in another way than the one before; then something is wrong. */
const MAX_VIEWS = 10

/**
 * What one call of the application may still spend on refusals, by attempts and by time. It is the call's own: however
 * hot its key is, the calls for other keys have theirs.
 */
export class AttemptBudget {
  readonly #table: Pick<TableRuntime, 'clock' | 'random' | 'options'>
  readonly #abortSignal: AbortSignal | undefined
  readonly #startedAt: number
  #waits = 0
  #views = 0
  /** Attempts of all requests of the call, whatever came of them. */
  attempts = 0
  /** Attempts that were refused. */
  refused = 0
  /** Total of the waits. */
  waitedMilliseconds = 0

  constructor(
    table: Pick<TableRuntime, 'clock' | 'random' | 'options'>,
    abortSignal: AbortSignal | undefined,
  ) {
    this.#table = table
    this.#abortSignal = abortSignal
    this.#startedAt = table.clock.now()
  }

  /** @throws the error, telling of every attempt, where no attempt is left */
  requireMore(error: Error): void {
    if (this.refused >= this.#table.options.maxAttempts) throw this.exhausted(error)
  }

  /**
   * Waits longer each time.
   * @throws the error, telling of every attempt, where the wait would end after the deadline; the signal's reason
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
   * @throws IsothermError `shard-map.slow` where that happens again and again
   */
  requireNewView(): void {
    this.#views += 1
    if (this.#views <= MAX_VIEWS) return
    const { name, shardMap, cacheMilliseconds } = this.#table.options
    throw new IsothermError(
      'shard-map.slow',
      `What the shard map ${shardMap} says of a key of ${name} was older than cacheTtl (${cacheMilliseconds} ms) each time a request was ready to leave. Give the process more room, or raise cacheTtl in every process.`,
      { table: name, shardMap, cacheMilliseconds },
    )
  }

  /** The error as the application gets it. */
  exhausted<Failure extends Error>(error: Failure): Failure {
    return withAttempts(error, this.attempts, this.waitedMilliseconds)
  }
}
