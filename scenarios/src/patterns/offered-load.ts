import type { Clock } from '@isotherm/runtime'

/** Requests are offered every so often. */
const STEP_MILLISECONDS = 10

/** What came of a load. */
export interface LoadOutcome {
  offered: number
  acknowledged: number
  failed: number
  /** Of those that failed: offered in the last seconds. */
  failedLate: number
}

/** A load of requests, second by second. */
export interface OfferedLoad {
  /** Requests offered in each second. */
  readonly perSecond: readonly number[]
  /** How many seconds at the end count as late. */
  readonly lateSeconds: number
  /** @param at the number of the request, from 0 */
  request(at: number, second: number): Promise<unknown>
}

/** Offers a load, spread evenly over each second, and waits for all answers. */
export async function offerLoad(clock: Clock, load: OfferedLoad): Promise<LoadOutcome> {
  const { perSecond, lateSeconds, request } = load
  const outcome = { offered: 0, acknowledged: 0, failed: 0, failedLate: 0 }
  const sent: Promise<void>[] = []
  const began = clock.now()
  const steps = 1_000 / STEP_MILLISECONDS
  for (const [second, count] of perSecond.entries()) {
    for (let step = 0; step < steps; step++) {
      const due = began + second * 1_000 + step * STEP_MILLISECONDS
      if (due > clock.now()) await clock.sleep(due - clock.now())
      const [from, to] = [Math.floor((count * step) / steps), Math.floor((count * (step + 1)) / steps)]
      for (let each = from; each < to; each++) {
        const at = outcome.offered
        outcome.offered += 1
        sent.push(
          request(at, second).then(
            () => {
              outcome.acknowledged += 1
            },
            () => {
              outcome.failed += 1
              if (second >= perSecond.length - lateSeconds) outcome.failedLate += 1
            },
          ),
        )
      }
    }
  }
  await Promise.all(sent)
  return outcome
}
