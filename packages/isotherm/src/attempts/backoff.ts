import type { Random } from '@isotherm/runtime'

/** The same base delay as the SDK uses for DynamoDB. */
const BASE_MILLISECONDS = 25
const MAX_MILLISECONDS = 1_000

/**
 * Returns the wait before a retry, in milliseconds: random up to a bound that doubles with each round ("full jitter"). Rounds start
 * at 0.
 * Source: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function backoffMilliseconds(random: Random, round: number): number {
  return random.next() * Math.min(MAX_MILLISECONDS, BASE_MILLISECONDS * 2 ** round)
}
