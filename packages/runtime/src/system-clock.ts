import { performance } from 'node:perf_hooks'
import type { Clock } from './clock.js'

/**
 * The machine's clock, optionally faster: at `speed` 60 a minute passes every second.
 *
 * Read from the monotonic counter and not from `Date.now()`, which jumps when the machine's time is set:
 * a token bucket must not be refilled by an NTP correction.
 *
 * @example
 * const clock = new SystemClock({ speed: 60 })
 * await clock.sleep(60_000) // one real second
 */
export class SystemClock implements Clock {
  readonly #speed: number
  readonly #bornReal = performance.now()
  readonly #bornEpoch = performance.timeOrigin + performance.now()

  constructor({ speed = 1 }: { readonly speed?: number } = {}) {
    if (!(Number.isFinite(speed) && speed > 0)) {
      throw new RangeError(
        `The clock's speed is ${speed}; it must be a number above 0, such as 60 for a minute a second.`,
      )
    }
    this.#speed = speed
  }

  now(): number {
    return this.#bornEpoch + (performance.now() - this.#bornReal) * this.#speed
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, milliseconds / this.#speed)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }
}
