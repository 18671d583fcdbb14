import type { Clock } from '@isotherm/runtime'
import type { Pace } from './pace.js'

/** Spreads work evenly over time: a fixed number of capacity units per second, without bursts. */
export class UnitPace implements Pace {
  readonly #clock: Clock
  readonly #unitsPerSecond: number
  #freeAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, unitsPerSecond: number) {
    this.#clock = clock
    this.#unitsPerSecond = unitsPerSecond
  }

  /** Waits until the given units may be used. */
  async take(units: number, signal: AbortSignal | undefined): Promise<void> {
    const now = this.#clock.now()
    const startsAt = this.#reserve(units, now)
    if (startsAt > now) await this.#clock.sleep(startsAt - now, signal)
  }

  spent(units: number): void {
    this.#reserve(units, this.#clock.now())
  }

  /** The rate is fixed. */
  throttled(): void {}

  /** Returns the time from which the units may be used. */
  #reserve(units: number, now: number): number {
    const startsAt = Math.max(now, this.#freeAt)
    this.#freeAt = startsAt + (units / this.#unitsPerSecond) * 1_000
    return startsAt
  }
}
