import { setMaxListeners } from 'node:events'
import type { Clock } from '@isotherm/runtime'

/** An attempt is aborted when this share of `lateRequests` has passed since the end of its view. */
const SHARE = 0.5

/** Deadlines are rounded up to this share of `lateRequests`, so that many requests have one. */
const STEP = 0.1

const deadlines = new WeakMap<Pick<Clock, 'sleep'>, Map<number, AbortSignal>>()

/**
 * Returns a signal that aborts some time after the end of a view: after half of `lateRequests`, and a tenth of it at most. A request that
 * waits for a connection, or for a response, then ends with its connection. What is left of `lateRequests` is for what the network
 * already has.
 *
 * @param validUntil the end of the view, in milliseconds of the clock
 */
export function attemptDeadline(clock: Clock, validUntil: number, lateMilliseconds: number): AbortSignal {
  const step = lateMilliseconds * STEP
  const at = Math.ceil((validUntil + lateMilliseconds * SHARE) / step) * step
  const ofClock = deadlines.get(clock) ?? new Map<number, AbortSignal>()
  deadlines.set(clock, ofClock)
  const known = ofClock.get(at)
  if (known !== undefined) return known
  const controller = new AbortController()
  const { signal } = controller
  // Every request adds a listener, which is not a leak.
  setMaxListeners(0, signal)
  ofClock.set(at, signal)
  const end = () => {
    ofClock.delete(at)
    controller.abort(new LateAttempt())
  }
  // Without a deadline the request has the bound that it had before, so a clock that cannot sleep does no harm.
  clock.sleep(at - clock.now(), undefined, { mayEndProcess: true }).then(end, () => ofClock.delete(at))
  return signal
}

/**
 * The error of an attempt that was aborted at its deadline. It may have taken effect. The SDK knows the name, and sends the request again if
 * it has attempts left. That attempt is not sent on the old view.
 */
export class LateAttempt extends Error {
  override readonly name = 'TimeoutError'

  constructor() {
    super(
      'A write had no response when its view of the shard map had been out of date for half of lateRequests, so its connection was closed. ' +
        'It may have been carried out.',
    )
  }
}
