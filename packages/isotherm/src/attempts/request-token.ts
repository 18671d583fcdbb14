import type { Random } from '@isotherm/runtime'

const WORDS = 4

/**
 * Returns an idempotency token for one transaction, so that it takes effect once even if it is sent again after a lost response.
 * The SDK would generate a different token each time the same command is sent.
 */
export function requestToken(random: Random): string {
  return Array.from({ length: WORDS }, () =>
    Math.floor(random.next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
}
