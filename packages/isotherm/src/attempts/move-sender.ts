import type { AnyCommand } from '../sdk/physical-client.js'
import { cancellationCodes, isCancellation, isConflict } from '../sdk/transaction-errors.js'
import { AttemptBudget } from './attempt-budget.js'
import { type Answer, type Refusal, sendUntilAnswered } from './attempt-loop.js'
import { answerOf, type Outcome } from './outcome.js'
import type { SendingTable } from './sending-table.js'
import type { UnitPace } from './unit-pace.js'

export interface MoveSenderOptions {
  readonly maxAttempts: number
  readonly pace: UnitPace | undefined
  readonly signal: AbortSignal | undefined
}

type Sends = Pick<SendingTable, 'client' | 'clock' | 'random'>

/** What passes by itself, of the codes that the members of a cancelled transaction have. */
const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

/**
 * Sends the requests of moves: no faster than their pace, again after a throttle or a conflict, and without the SDK's
 * retry budget, which belongs to the application.
 */
export class MoveSender {
  readonly #table: Sends
  readonly #options: MoveSenderOptions

  constructor(table: Sends, options: MoveSenderOptions) {
    this.#table = table
    this.#options = options
  }

  /**
   * @param units about what it costs
   * @param validUntil no attempt is sent from then on
   */
  async send<Output extends Answer>(
    command: AnyCommand,
    units: number,
    validUntil = Number.POSITIVE_INFINITY,
  ): Promise<Outcome<Output>> {
    const { maxAttempts, pace, signal } = this.#options
    const { client, clock, random } = this.#table
    const options = { maxAttempts, retryMilliseconds: Number.POSITIVE_INFINITY }
    const budget = new AttemptBudget({ clock, random, options }, signal)
    const request = { command, clock, validUntil }
    await pace?.take(units, signal)
    return sendUntilAnswered(client, signal && { abortSignal: signal }, {
      budget,
      next: () => request,
      refusalOf: passingRefusal,
      async beforeNext(error) {
        const lastWord = await budget.wait(error)
        if (lastWord === undefined) await pace?.take(units, signal)
        return lastWord
      },
    })
  }

  /**
   * The answer to a request that may be sent at any time.
   * @throws the last throttle or conflict, or at once whatever does not pass by itself
   */
  async answer<Output extends Answer>(command: AnyCommand, units: number): Promise<Output> {
    return answerOf(await this.send<Output>(command, units))
  }
}

function passingRefusal(error: unknown): Refusal | undefined {
  if (isConflict(error)) return { error }
  const codes = cancellationCodes(error)
  if (!isCancellation(error) || codes.includes('ConditionalCheckFailed')) return undefined
  return codes.some((code) => code !== undefined && PASSING.has(code)) ? { error } : undefined
}
