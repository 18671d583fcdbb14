import type { Random } from '@isotherm/runtime'

/** As the SDK's own base delay for DynamoDB. */
const BASE_MILLISECONDS = 25
const MAX_MILLISECONDS = 1_000

/**
 * How long to wait before the nth wait-and-retry, counted from 0: random up to a bound that doubles ("full jitter").
 * Source: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function backoffMilliseconds(random: Random, round: number): number {
  return random.next() * Math.min(MAX_MILLISECONDS, BASE_MILLISECONDS * 2 ** round)
}
