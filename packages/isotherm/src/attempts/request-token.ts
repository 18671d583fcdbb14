import type { Random } from '@isotherm/runtime'

const WORDS = 4

/**
 * A name for one transaction, so that sending it again after a lost answer carries it out once. The SDK would draw one
 * itself, and another one each time that the same command is sent.
 */
export function requestToken(random: Random): string {
  return Array.from({ length: WORDS }, () =>
    Math.floor(random.next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
}
