import type { Random } from './random.js'

/** The process's own source of chance; two processes draw differently. */
export class SystemRandom implements Random {
  next(): number {
    return Math.random()
  }
}
