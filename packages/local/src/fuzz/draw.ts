import { type Random, randomInteger } from '@isotherm/runtime'

/** One of a few choices, with equal probability. */
export function oneOf<T>(random: Random, choices: readonly [T, ...T[]]): T {
  return choices[randomInteger(random, 0, choices.length - 1)] ?? choices[0]
}

/** True with this probability. */
export function happens(random: Random, share: number): boolean {
  return random.next() < share
}

export function bytes(random: Random, count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => randomInteger(random, 0, 255)))
}
