import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { Random } from './random.js'

/**
 * Returns the same numbers for the same seed, on every machine.
 *
 * @example
 * const random = new SeededRandom(42)
 * random.next() === new SeededRandom(42).next() // true
 */
export class SeededRandom implements Random {
  readonly #generator
  constructor(seed: number) {
    if (!Number.isSafeInteger(seed)) throw new RangeError(`The seed is ${seed}; it must be a whole number.`)
    this.#generator = xoroshiro128plus(seed)
  }

  next(): number {
    return (this.#generator.next() >>> 0) / 0x1_0000_0000
  }
}
