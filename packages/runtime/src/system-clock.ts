import { performance } from 'node:perf_hooks'
import type { Clock, SleepOptions } from './clock.js'

const LEAST_SUSPENSION_MILLISECONDS = 1_000

/** Node fires a timer with a longer delay at once. Source: https://nodejs.org/api/timers.html */
const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1

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
  #last = { counter: performance.now(), calendar: Date.now() }

  /**
   * With `noticesSuspension`, the time that the machine slept, which the counter leaves out, is added as soon as the
   * calendar shows it. It is for a process that must not take old data for fresh, such as one on a laptop or in a frozen
   * function. Default `false`.
   */
  constructor({ noticesSuspension = false }: { readonly noticesSuspension?: boolean } = {}) {
    this.#noticesSuspension = noticesSuspension
  }

  now(): number {
    const elapsed = performance.now() - this.#bornReal
    if (this.#noticesSuspension) this.#addSuspension()
    return this.#bornEpoch + elapsed + this.#suspended
  }

  /**
   * Only forward, and only by more than a time server would correct the calendar. The calendar is compared since the last reading: it may
   * have been set in between, and be behind this clock or ahead of it for good.
   */
  #addSuspension(): void {
    const { counter, calendar } = this.#last
    this.#last = { counter: performance.now(), calendar: Date.now() }
    const missing = this.#last.calendar - calendar - (this.#last.counter - counter)
    if (missing > LEAST_SUSPENSION_MILLISECONDS) this.#suspended += missing
  }

  sleep(milliseconds: number, signal?: AbortSignal, options?: SleepOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      let timer: NodeJS.Timeout
      let left = milliseconds
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const onEnd = () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const wait = () => {
        const delay = Math.min(left, LONGEST_TIMER_MILLISECONDS)
        left -= delay
        timer = setTimeout(left > 0 ? wait : onEnd, delay)
        if (options?.mayEndProcess === true) timer.unref()
      }
      wait()
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }
}
