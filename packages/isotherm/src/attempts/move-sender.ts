import type { AnyCommand } from '../sdk/physical-client.js'
import { cancellationCodes, isCancellation, isConflict } from '../sdk/transaction-errors.js'
import { AttemptBudget } from './attempt-budget.js'
import { type Answer, type Refusal, sendUntilAnswered } from './attempt-loop.js'
import { answerOf, type Outcome } from './outcome.js'
import type { Pace } from './pace.js'
import type { SendingTable } from './sending-table.js'

export interface MoveSenderOptions {
  readonly maxAttempts: number
  readonly pace: Pace | undefined
  readonly signal: AbortSignal | undefined
}

interface Sends extends Pick<SendingTable, 'client' | 'clock' | 'random'> {
  /** For requests that have a time from which they are not sent. */
  readonly options?: Pick<SendingTable['options'], 'lateRequestMilliseconds'>
}

/** The cancellation codes of a transaction that are worth retrying. */
const CONFLICT = 'TransactionConflict'
const THROTTLES = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded'])

/**
 * Sends the requests of moves, no faster than their pace. Retries after a throttle or a conflict. Does not use the SDK's retry
 * budget, which belongs to the application.
 */
export class MoveSender {
  readonly #table: Sends
  readonly #options: MoveSenderOptions

  constructor(table: Sends, options: MoveSenderOptions) {
    this.#table = table
    this.#options = options
  }

  /**
   * @param units the estimated cost in capacity units
   * @param validUntil the time from which no attempt is sent
   */
  async send<Output extends Answer>(
    command: AnyCommand,
    units: number,
    validUntil = Number.POSITIVE_INFINITY,
  ): Promise<Outcome<Output>> {
    const { maxAttempts, pace, signal } = this.#options
    const { client, clock, random, options: table } = this.#table
    const options = { maxAttempts, retryMilliseconds: Number.POSITIVE_INFINITY }
    const budget = new AttemptBudget({ clock, random, options }, signal)
    const request = { command, clock, validUntil, lateMilliseconds: table?.lateRequestMilliseconds }
    await pace?.take(units, signal)
    return sendUntilAnswered(client, signal && { abortSignal: signal }, {
      budget,
      next: () => request,
      refusalOf: passingRefusal,
      async onThrottle() {
        pace?.throttled()
        return undefined
      },
      async beforeNext(error) {
        const lastWord = await budget.wait(error)
        if (lastWord === undefined) await pace?.take(units, signal)
        return lastWord
      },
    })
  }

  /**
   * Sends a request that has no deadline, and returns its output.
   * @throws the last throttle or conflict; any other error immediately
   */
  async answer<Output extends Answer>(command: AnyCommand, units: number): Promise<Output> {
    return answerOf(await this.send<Output>(command, units))
  }
}

function passingRefusal(error: unknown): Refusal | undefined {
  if (isConflict(error)) return { error }
  const codes = cancellationCodes(error)
  if (!isCancellation(error) || codes.includes('ConditionalCheckFailed')) return undefined
  if (codes.some((code) => code !== undefined && THROTTLES.has(code))) return { error, reasons: [] }
  return codes.includes(CONFLICT) ? { error } : undefined
}
