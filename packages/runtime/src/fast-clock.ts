import type { Clock, SleepOptions } from './clock.js'
import { SystemClock } from './system-clock.js'

/**
 * The machine's clock, faster: at a speed of 60, a minute passes every second. It begins at the current time.
 *
 * @example
 * const clock = new FastClock(60)
 * await clock.sleep(60_000) // one real second
 */
export class FastClock implements Clock {
  readonly #speed: number
  readonly #real = new SystemClock()
  readonly #born = this.#real.now()

  /**
   * @param speed seconds of this clock in a real one, above 0
   * @throws RangeError
   */
  constructor(speed: number) {
    if (!(Number.isFinite(speed) && speed > 0)) {
      throw new RangeError(
        `The clock's speed is ${speed}; it must be a number above 0, such as 60 for a minute a second.`,
      )
    }
    this.#speed = speed
  }

  now(): number {
    return this.#born + (this.#real.now() - this.#born) * this.#speed
  }

  sleep(milliseconds: number, signal?: AbortSignal, options?: SleepOptions): Promise<void> {
    return this.#real.sleep(milliseconds / this.#speed, signal, options)
  }
}
