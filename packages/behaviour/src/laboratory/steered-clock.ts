import { type Clock, SystemClock } from '@isotherm/runtime'

/** As long as a retry waits, so that what is under way at the engine gets on meanwhile. */
const MAX_REAL_MILLISECONDS = 25

/**
 * The machine's time, moved on by the test: a minute passes at once, and who sleeps for long is woken soon. The engine's
 * own time is not moved, so this is no place to test what an engine does with time.
 */
export class SteeredClock implements Clock {
  readonly #machine = new SystemClock()
  #ahead = 0

  now(): number {
    return this.#machine.now() + this.#ahead
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const real = Math.min(milliseconds, MAX_REAL_MILLISECONDS)
    await this.#machine.sleep(real, signal)
    this.advance(milliseconds - real)
  }
}
