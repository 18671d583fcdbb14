import { allowManyListeners, type Clock } from '@isotherm/runtime'

/** An attempt is aborted when this share of `lateRequests` has passed since the end of its view. */
const SHARE = 0.5

/** Deadlines are rounded up to this share of `lateRequests`, so that many requests have one. */
const STEP = 0.1

/**
 * How often the clock is read, as a share of `lateRequests`. After a suspension, a request that waits for a connection may still be sent within this
 * time.
 */
const LOOK = 0.2

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
  const ofClock = watches.get(clock) ?? new Map<number, DeadlineWatch>()
  watches.set(clock, ofClock)
  // Tables with another `lateRequests` have their own watch: a longer look would find their deadlines too late.
  const ofTables = ofClock.get(lateMilliseconds) ?? new DeadlineWatch(clock, lateMilliseconds * LOOK)
  ofClock.set(lateMilliseconds, ofTables)
  return ofTables.signalAt(at)
}

const watches = new WeakMap<Pick<Clock, 'sleep'>, Map<number, DeadlineWatch>>()

/**
 * Watches deadlines. It reads the clock again and again, because a timer that was set for all of the time is late by as long as the
 * machine was suspended.
 */
class DeadlineWatch {
  readonly #clock: Clock
  readonly #lookMilliseconds: number
  readonly #deadlines = new Map<number, AbortController>()

  constructor(clock: Clock, lookMilliseconds: number) {
    this.#clock = clock
    this.#lookMilliseconds = lookMilliseconds
  }

  signalAt(at: number): AbortSignal {
    const known = this.#deadlines.get(at)
    if (known !== undefined) return known.signal
    const controller = new AbortController()
    // Every request adds a listener.
    allowManyListeners(controller.signal)
    this.#deadlines.set(at, controller)
    if (this.#deadlines.size === 1) {
      // Without a deadline the request has the bound that it had before, so a clock that cannot sleep does no harm.
      this.#watch().catch(() => this.#deadlines.clear())
    }
    return controller.signal
  }

  async #watch(): Promise<void> {
    while (this.#deadlines.size > 0) {
      await this.#clock.sleep(this.#nextLook(), undefined, { mayEndProcess: true })
      const now = this.#clock.now()
      for (const [at, controller] of this.#deadlines) {
        if (at > now) continue
        this.#deadlines.delete(at)
        controller.abort(new LateAttempt())
      }
    }
  }

  /** @returns milliseconds, at most until the next deadline */
  #nextLook(): number {
    return Math.min(this.#lookMilliseconds, Math.min(...this.#deadlines.keys()) - this.#clock.now())
  }
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
