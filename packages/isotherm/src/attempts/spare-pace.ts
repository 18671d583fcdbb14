import type { Clock } from '@isotherm/runtime'
import type { Pace } from './pace.js'
import { UnitPace } from './unit-pace.js'

/** A tenth of one partition's write limit. The rate begins with it, and never falls below it. */
const LEAST_UNITS = 100

/** A move writes to the source and to the target, each of which accepts 1,000 units per second. */
const MOST_UNITS = 2_000

/** How much the rate grows each second: by this factor until the first throttle, then by these units. */
const FIRST_GROWTH = 1.5
const LATER_GROWTH_UNITS = 25

/** After a throttle, the rate falls by this factor. */
const FALL = 0.5

/** A partition's buckets need about this long to show what a new rate does. */
const STEP_MILLISECONDS = 1_000

/**
 * Uses the units that the partitions have to spare. The rate grows while no request is throttled, and halves when one is. So work in the
 * background and the application's traffic share a full partition, and the background work takes the smaller part.
 *
 * Source: Chiu, Jain: Analysis of the increase and decrease algorithms for congestion avoidance (1989)
 */
export class SparePace implements Pace {
  readonly #clock: Clock
  #unitsPerSecond = LEAST_UNITS
  #hasBeenThrottled = false
  #steppedAt: number
  #fellAt = Number.NEGATIVE_INFINITY
  #freeAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
    this.#steppedAt = clock.now()
  }

  async take(units: number, signal: AbortSignal | undefined): Promise<void> {
    const now = this.#clock.now()
    if (now - this.#steppedAt >= STEP_MILLISECONDS) this.#grow(now)
    const startsAt = this.#reserve(units, now)
    if (startsAt > now) await this.#clock.sleep(startsAt - now, signal)
  }

  spent(units: number): void {
    this.#reserve(units, this.#clock.now())
  }

  /** Requests that were sent together are throttled together. They count once. */
  throttled(): void {
    const now = this.#clock.now()
    if (now - this.#fellAt < STEP_MILLISECONDS) return
    this.#hasBeenThrottled = true
    this.#fellAt = now
    this.#steppedAt = now
    this.#unitsPerSecond = Math.max(LEAST_UNITS, this.#unitsPerSecond * FALL)
  }

  /** Returns the time from which the units may be used. */
  #reserve(units: number, now: number): number {
    const startsAt = Math.max(now, this.#freeAt)
    this.#freeAt = startsAt + (units / this.#unitsPerSecond) * 1_000
    return startsAt
  }

  #grow(now: number): void {
    this.#steppedAt = now
    const grown = this.#hasBeenThrottled
      ? this.#unitsPerSecond + LATER_GROWTH_UNITS
      : this.#unitsPerSecond * FIRST_GROWTH
    this.#unitsPerSecond = Math.min(MOST_UNITS, grown)
  }
}

/** A fixed rate, or the rate that the partitions have to spare. */
export function openPace(clock: Clock, unitsPerSecond: number | undefined): Pace {
  return unitsPerSecond === undefined ? new SparePace(clock) : new UnitPace(clock, unitsPerSecond)
}
