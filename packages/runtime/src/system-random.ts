import type { Random } from './random.js'

/** The process's own source of randomness: two processes draw different numbers. */
export class SystemRandom implements Random {
  next(): number {
    return Math.random()
  }
}
