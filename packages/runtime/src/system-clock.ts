import { performance } from 'node:perf_hooks'
import type { Clock } from './clock.js'

const LEAST_SUSPENSION_MILLISECONDS = 1_000

/**
 * The machine's clock.
 *
 * Read from the monotonic counter and not from `Date.now()`, which jumps when the machine's time is set:
 * a token bucket must not be refilled by an NTP correction.
 */
export class SystemClock implements Clock {
  readonly #noticesSuspension: boolean
  readonly #bornReal = performance.now()
  readonly #bornEpoch = performance.timeOrigin + performance.now()
  #suspended = 0

  /**
   * @param options.noticesSuspension whether time that the machine slept, and did not count, is added as soon as the
   * calendar shows it. For whoever must not take something for younger than it is, such as a laptop's or a frozen
   * function's cache. Default `false`.
   */
  constructor({ noticesSuspension = false }: { readonly noticesSuspension?: boolean } = {}) {
    this.#noticesSuspension = noticesSuspension
  }

  now(): number {
    const elapsed = performance.now() - this.#bornReal
    if (this.#noticesSuspension) this.#addSuspension(elapsed)
    return this.#bornEpoch + elapsed + this.#suspended
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
      }, milliseconds)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }
}
