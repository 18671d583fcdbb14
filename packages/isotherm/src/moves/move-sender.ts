import type { PhysicalClient } from '../sdk/physical-client.js'
import { throttleOf } from '../sensing/throttle.js'
import { backoffMilliseconds } from '../writes/backoff.js'
import { ThrottledAttempt } from '../writes/throttle-guard.js'
import type { MovingTable } from './moving-table.js'
import type { UnitPace } from './unit-pace.js'

/** An attempt was not sent, because what it was decided on is no longer sure to be so. */
export class ViewExpired extends Error {
  override readonly name = 'IsothermViewExpired'
}

interface Guarded {
  readonly middlewareStack: { add(middleware: never, options: never): void }
}

type Next = (args: object) => Promise<object>

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
  readonly #table: Pick<MovingTable, 'client' | 'clock' | 'random'>
  readonly #options: MoveSenderOptions

  constructor(table: Pick<MovingTable, 'client' | 'clock' | 'random'>, options: MoveSenderOptions) {
    this.#table = table
    this.#options = options
  }

  /**
   * @param units about what it costs
   * @param validUntil no attempt is sent from then on
   * @throws ViewExpired, the last throttle or conflict, or at once whatever does not pass by itself
   */
  async send<Output>(
    command: Guarded,
    units: number,
    validUntil = Number.POSITIVE_INFINITY,
  ): Promise<Output> {
    const { maxAttempts, pace, signal } = this.#options
    this.#guard(command, validUntil)
    for (let attempt = 1; ; attempt++) {
      await pace?.take(units, signal)
      try {
        return (await this.#client.send(command as never, { abortSignal: signal } as never)) as Output
      } catch (error) {
        if (!passes(error)) throw error
        if (attempt >= maxAttempts) throw error instanceof ThrottledAttempt ? error.throttle.error : error
        await this.#table.clock.sleep(backoffMilliseconds(this.#table.random, attempt - 1), signal)
      }
    }
  }

  get #client(): PhysicalClient {
    return this.#table.client
  }

  #guard(command: Guarded, validUntil: number): void {
    const { clock } = this.#table
    const guard = (next: Next) => async (args: object) => {
      if (clock.now() >= validUntil) throw new ViewExpired('A move was not sent: its view has expired.')
      try {
        return await next(args)
      } catch (error) {
        const throttle = throttleOf(error)
        throw throttle === undefined ? error : new ThrottledAttempt(throttle)
      }
    }
    // Below the SDK's retries, where each attempt is seen, and above its signing.
    const options = { step: 'finalizeRequest', priority: 'low', name: 'isothermMoveGuard' }
    command.middlewareStack.add(guard as never, options as never)
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
