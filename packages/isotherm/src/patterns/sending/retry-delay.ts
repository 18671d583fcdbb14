import type { Random } from '@isotherm/runtime'

const FIRST_MILLISECONDS = 50
const MAX_MILLISECONDS = 5_000

/**
 * How long to wait before a try: full jitter below a bound that doubles.
 * Source: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 *
 * @param tried tries so far, from 1
 */
export function retryDelay(random: Random, tried: number): number {
  return random.next() * Math.min(MAX_MILLISECONDS, FIRST_MILLISECONDS * 2 ** (tried - 1))
}
