import { setTimeout } from 'node:timers/promises'
import { type SleepOptions, SystemClock } from '@isotherm/runtime'

/** Node fires a timer with a longer delay at once. Source: https://nodejs.org/api/timers.html */
const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1

/**
 * Node's timer as it was when this module was loaded. Fake timers of vitest and jest replace timers only later. On theirs, the engine would
 * wait for a test that waits for the engine, which never happens with a DynamoDB in a process of its own.
 */
const timer = setTimeout

/** The machine's clock, which also passes while a test fakes the timers of this process. */
export class MachineClock extends SystemClock {
  override async sleep(milliseconds: number, signal?: AbortSignal, options?: SleepOptions): Promise<void> {
    signal?.throwIfAborted()
    const ref = options?.mayEndProcess !== true
    try {
      for (let left = milliseconds; ; left -= LONGEST_TIMER_MILLISECONDS) {
        await timer(Math.min(left, LONGEST_TIMER_MILLISECONDS), undefined, { signal, ref })
        if (left <= LONGEST_TIMER_MILLISECONDS) return
      }
    } catch (error) {
      // Node rejects with an error of its own, and a clock with the reason of the signal.
      throw signal?.aborted ? signal.reason : error
    }
  }
}
