import type { Clock, Random } from '@isotherm/runtime'
import { backoffMilliseconds } from '../attempts/backoff.js'
import { originalError, type Refusal, refusalOf } from './refusal.js'

/** How long a call is tried again, and by which clock. */
export interface Patience {
  readonly clock: Clock
  readonly random: Random
  readonly timeoutMilliseconds: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Tries again while the service refuses for want of capacity, or because a transaction holds an item.
 *
 * @param onRefused called for each refusal that another attempt follows
 * @throws the first error that is no such refusal; the last refusal when time is up; the reason of the signal
 */
export async function untilTaken<Output>(
  { clock, random, timeoutMilliseconds, signal }: Patience,
  attempt: () => Promise<Output>,
  onRefused: (refusal: Refusal) => Promise<void> = async () => {},
): Promise<Output> {
  const until = clock.now() + timeoutMilliseconds
  for (let round = 0; ; round++) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined || refusal.kind === 'condition') throw error
      const wait = backoffMilliseconds(random, round)
      if (clock.now() + wait > until) throw originalError(error)
      await onRefused(refusal)
      await clock.sleep(wait, signal)
    }
  }
}
