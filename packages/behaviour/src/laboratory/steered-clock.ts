import { type Clock, type SleepOptions, SystemClock } from '@isotherm/runtime'

/** The wait of a retry, so that the engine can make progress meanwhile. */
const MAX_REAL_MILLISECONDS = 25

/**
 * The machine's time, advanced by the test: a minute passes at once, and long sleepers wake soon. The engine's own time
 * does not advance, so this clock cannot test how an engine depends on time.
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

  async sleep(milliseconds: number, signal?: AbortSignal, options?: SleepOptions): Promise<void> {
    // A deadline of a request. Requests take the machine's time, and are in time here.
    if (options?.mayEndProcess === true) return this.#machine.sleep(milliseconds, signal, options)
    const real = Math.min(milliseconds, MAX_REAL_MILLISECONDS)
    await this.#machine.sleep(real, signal)
    this.advance(milliseconds - real)
  }
}
