import { SeededRandom } from '@isotherm/runtime'

/**
 * Chance for one purpose of a run: seeds that follow each other, and purposes of one seed, have nothing in common. The
 * generator itself begins alike for seeds that are alike.
 */
export function chanceFor(seed: number, purpose: number): SeededRandom {
  let mixed = (seed ^ Math.imul(purpose + 1, 0x9e3779b1)) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return new SeededRandom((mixed ^ (mixed >>> 16)) >>> 0)
}
