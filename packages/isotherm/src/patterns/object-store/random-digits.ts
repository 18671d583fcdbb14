import type { Random } from '@isotherm/runtime'

/** So many hexadecimal digits, for a name that no other process gives. */
export function randomDigits(random: Random, count: number): string {
  return Array.from({ length: count }, () => Math.floor(random.next() * 16).toString(16)).join('')
}
