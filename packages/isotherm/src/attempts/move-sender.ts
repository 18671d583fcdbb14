import type { AnyCommand } from '../sdk/physical-client.js'
import { type AttemptLog, guardAttempts, ThrottledAttempt } from './attempt-guard.js'
import { backoffMilliseconds } from './backoff.js'
import type { SendingTable } from './sending-table.js'
import type { UnitPace } from './unit-pace.js'

export interface MoveSenderOptions {
  readonly maxAttempts: number
  readonly pace: UnitPace | undefined
  readonly signal: AbortSignal | undefined
}

/** What passes by itself, of the codes that the members of a cancelled transaction have. */
const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

/**
 * Sends the requests of moves: no faster than their pace, again after a throttle or a conflict, and without the SDK's
 * retry budget, which belongs to the application.
 */
export class MoveSender {
  readonly #table: Pick<SendingTable, 'client' | 'clock' | 'random'>
  readonly #options: MoveSenderOptions

  constructor(table: Pick<SendingTable, 'client' | 'clock' | 'random'>, options: MoveSenderOptions) {
    this.#table = table
    this.#options = options
  }

  /**
   * @param units about what it costs
   * @param validUntil no attempt is sent from then on
   * @throws StaleView, the last throttle or conflict, or at once whatever does not pass by itself
   */
  async send<Output>(
    command: AnyCommand,
    units: number,
    validUntil = Number.POSITIVE_INFINITY,
  ): Promise<Output> {
    const { maxAttempts, pace, signal } = this.#options
    const { client, clock, random } = this.#table
    const log: AttemptLog = { unanswered: undefined }
    guardAttempts(command, { clock, validUntil }, log)
    for (let attempt = 1; ; attempt++) {
      await pace?.take(units, signal)
      try {
        return (await client.send(command as never, { abortSignal: signal } as never)) as Output
      } catch (error) {
        if (!passes(error)) throw error
        if (attempt >= maxAttempts) throw error instanceof ThrottledAttempt ? error.throttle.error : error
        await clock.sleep(backoffMilliseconds(random, attempt - 1), signal)
      }
    }
  }
}

/** The codes of a cancelled transaction's members, in order; `undefined` for another error. */
export function cancellationCodes(error: unknown): readonly (string | undefined)[] | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return undefined
  const reasons: unknown = 'CancellationReasons' in error ? error.CancellationReasons : undefined
  if (!Array.isArray(reasons)) return undefined
  return reasons.map((reason: { readonly Code?: string } | undefined) => reason?.Code)
}

function passes(error: unknown): boolean {
  if (error instanceof ThrottledAttempt) return true
  if (error instanceof Error && error.name === 'TransactionConflictException') return true
  const codes = cancellationCodes(error)
  if (codes === undefined || codes.includes('ConditionalCheckFailed')) return false
  return codes.some((code) => code !== undefined && PASSING.has(code))
}
