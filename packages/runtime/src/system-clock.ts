import { performance } from 'node:perf_hooks'
import type { Clock } from './clock.js'

const LEAST_SUSPENSION_MILLISECONDS = 1_000

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
  readonly #noticesSuspension: boolean
  readonly #bornReal = performance.now()
  readonly #bornEpoch = performance.timeOrigin + performance.now()
  #suspended = 0

  /**
   * @param options.speed seconds of this clock in a real one. Default 1.
   * @param options.noticesSuspension whether time that the machine slept, and did not count, is added as soon as the
   * calendar shows it. For whoever must not take something for younger than it is, such as a laptop's or a frozen
   * function's cache. Default `false`.
   */
  constructor({
    speed = 1,
    noticesSuspension = false,
  }: { readonly speed?: number; readonly noticesSuspension?: boolean } = {}) {
    if (!(Number.isFinite(speed) && speed > 0)) {
      throw new RangeError(
        `The clock's speed is ${speed}; it must be a number above 0, such as 60 for a minute a second.`,
      )
    }
    this.#speed = speed
    this.#noticesSuspension = noticesSuspension
  }

  now(): number {
    const elapsed = performance.now() - this.#bornReal
    if (this.#noticesSuspension) this.#addSuspension(elapsed)
    return this.#bornEpoch + (elapsed + this.#suspended) * this.#speed
  }

  /** Only forward, and only what is too much for a correction of the calendar: a time server moves it by less. */
  #addSuspension(elapsed: number): void {
    const missing = Date.now() - this.#bornEpoch - elapsed - this.#suspended
    if (missing > LEAST_SUSPENSION_MILLISECONDS) this.#suspended += missing
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
