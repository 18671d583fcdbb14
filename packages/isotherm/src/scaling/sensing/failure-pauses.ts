import type { Random } from '@isotherm/runtime'
import { isPassing } from '../../sdk/passing-error.js'

/** After the first error that passes, the pause is one to two times this long, and twice as long after each further one in a row. */
const FIRST_MILLISECONDS = 1_000

/** A hot key must not wait much longer once the shard map answers again. */
const LONGEST_MILLISECONDS = 8_000

/** How long work for a key is not tried again after it has failed. */
export class FailurePauses {
  #failures = 0

  /**
   * The pause after this error, in milliseconds.
   * @param lastingMilliseconds the pause after an error that would come again
   */
  after(error: unknown, random: Random, lastingMilliseconds: number): number {
    if (!isPassing(error)) return lastingMilliseconds
    const milliseconds = FIRST_MILLISECONDS * 2 ** this.#failures * (1 + random.next())
    if (milliseconds < LONGEST_MILLISECONDS) this.#failures += 1
    return Math.min(LONGEST_MILLISECONDS, milliseconds)
  }

  succeeded(): void {
    this.#failures = 0
  }
}
