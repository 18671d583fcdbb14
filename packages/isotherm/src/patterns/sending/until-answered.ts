import type { Clock, Random } from '@isotherm/runtime'
import { isTransient } from './is-transient.js'
import { retryDelay } from './retry-delay.js'

/** With waits that double up to five seconds: half a minute. */
const MAX_TRIES = 10

/** Asks again after passing failures, beyond the SDK's own retries: for reads, and for writes that may be repeated. */
export async function untilAnswered<Answer>(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  ask: () => Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    try {
      return await ask()
    } catch (error) {
      if (tried >= MAX_TRIES || !isTransient(error)) throw error
    }
    await clock.sleep(retryDelay(random, tried), signal)
  }
}
