import TinyQueue from 'tinyqueue'
import type { Clock } from './clock.js'

interface Sleeper {
  readonly wakesAt: number
  readonly order: number
  wake(): void
}

/**
 * A clock that stops while anything runs and jumps to the next sleeper when everything waits. An hour takes only as
 * long as its work does, and two runs of the same work see the same times in the same order.
 *
 * Only promises may be awaited under it: a socket or a real timer is invisible to it.
 *
 * @example
 * const clock = new VirtualClock()
 * const elapsed = await clock.run(async () => {
 *   const from = clock.now()
 *   await clock.sleep(3_600_000)
 *   return clock.now() - from
 * }) // 3_600_000, at once
 */
export class VirtualClock implements Clock {
  #now: number
  #order = 0
  readonly #sleepers = new TinyQueue<Sleeper>([], (a, b) => a.wakesAt - b.wakesAt || a.order - b.order)

  /**
   * @param startsAt milliseconds since the Unix epoch; a fixed default, so that runs are comparable.
   * @throws TypeError for anything but a finite number
   */
  constructor(startsAt = 1_800_000_000_000) {
    this.#now = requireFinite('startsAt', startsAt)
  }

  now(): number {
    return this.#now
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => reject(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#sleepers.push({
        wakesAt: this.#now + Math.max(0, milliseconds),
        order: this.#order++,
        wake: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        },
      })
    })
  }

  /**
   * Moves time forward by hand and wakes nothing: for tests of code that only reads the clock.
   * @throws TypeError for anything but a finite number
   */
  advance(milliseconds: number): void {
    this.#now += requireFinite('milliseconds', milliseconds)
  }

  /**
   * Runs `work` to its end, and moves time forward whenever everything in the process waits.
   * @throws the error of `work`; or an Error when `work` waits for something that no sleeper will cause.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let settled = false
    const result = work().finally(() => {
      settled = true
    })
    // The caller gets the rejection from `result` itself; this only keeps Node from reporting it as unhandled
    // meanwhile.
    result.catch(() => {})
    for (;;) {
      await everythingWaits()
      if (settled) return result
      const next = this.#sleepers.pop()
      if (next === undefined) {
        throw new Error('Virtual time stands still: the work waits for something that no sleeper will wake.')
      }
      this.#now = Math.max(this.#now, next.wakesAt)
      next.wake()
    }
  }
}

/** One turn of the event loop runs every pending microtask, however long their chain. */
function everythingWaits(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Times are added, so a text would be joined with them, and the clock would show an invalid time for good. */
function requireFinite(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new TypeError(
    `${name} of a VirtualClock is ${String(value)}; it must be a finite number of milliseconds.`,
  )
}
