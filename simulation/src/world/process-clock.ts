import type { Clock } from '@isotherm/runtime'
import type { Scheduler } from './scheduler.js'

/**
 * The clock of one process: it runs a little faster or slower than the world, its calendar is wrong, and it may jump forward.
 * A timer is not moved by a jump, as those of an operating system are not.
 */
export class ProcessClock implements Clock {
  readonly #scheduler: Scheduler
  readonly #bornAt: number
  readonly #calendarOffset: number
  readonly #rate: number
  readonly #wake: (at: number, resolve: () => void) => void
  /** Milliseconds that it is ahead because it jumped. */
  jumped = 0

  /** @param wake calls back at a time of the world, unless the process sleeps or is gone by then */
  constructor(
    scheduler: Scheduler,
    { rate, calendarOffset }: { readonly rate: number; readonly calendarOffset: number },
    wake: (at: number, resolve: () => void) => void,
  ) {
    this.#scheduler = scheduler
    this.#bornAt = scheduler.now()
    this.#rate = rate
    this.#calendarOffset = calendarOffset
    this.#wake = wake
  }

  now(): number {
    const elapsed = this.#scheduler.now() - this.#bornAt
    return this.#bornAt + this.#calendarOffset + elapsed * this.#rate + this.jumped
  }

  jump(milliseconds: number): void {
    this.jumped += milliseconds
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const at = this.#scheduler.now() + Math.max(0, milliseconds) / this.#rate
    if (signal === undefined) return new Promise((resolve) => this.#wake(at, resolve))
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const onAbort = () => reject(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      this.#wake(at, () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      })
    })
  }
}
