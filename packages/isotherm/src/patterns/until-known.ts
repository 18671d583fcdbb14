import { backoffMilliseconds } from '../attempts/backoff.js'
import { refusalOf } from './refusal.js'
import { isTransient } from './sending/is-transient.js'
import { type Patience, untilTaken } from './until-taken.js'

/**
 * Sends a write that may be carried out several times until it is known what became of it. Other errors than refusals are tried again, too:
 * after them the write may have been carried out, or may be later.
 *
 * @param lateMilliseconds within which an attempt without an answer arrives, or never. The next one waits for that, where an earlier one must
 * not be carried out after a later one
 * @throws a condition that does not hold; errors that no attempt changes; the last error when time is up
 */
export async function untilKnown<Output>(
  patience: Patience,
  attempt: () => Promise<Output>,
  lateMilliseconds = 0,
): Promise<Output> {
  const { clock, random, timeoutMilliseconds, signal } = patience
  const until = clock.now() + timeoutMilliseconds
  for (let round = 0; ; round++) {
    try {
      return await untilTaken(patience, attempt)
    } catch (error) {
      if (refusalOf(error) !== undefined || !mayChange(error) || clock.now() >= until) throw error
      await clock.sleep(Math.max(lateMilliseconds, backoffMilliseconds(random, round)), signal)
    }
  }
}

/** Whether the same request may be answered in another way later. The service still works on a transaction that it was sent before. */
function mayChange(error: unknown): boolean {
  return isTransient(error) || (error instanceof Error && error.name === 'TransactionInProgressException')
}
