import type { Clock } from '@isotherm/runtime'

const DAY_MILLISECONDS = 86_400_000

/** A budget of units a day. What was not spent is kept for one day. */
export class DailyBudget {
  readonly #clock: Clock
  readonly #unitsPerDay: number
  #left: number
  #at: number

  constructor(clock: Clock, unitsPerDay: number) {
    this.#clock = clock
    this.#unitsPerDay = unitsPerDay
    this.#left = unitsPerDay
    this.#at = clock.now()
  }

  /** Spends the units if they are there. */
  spend(units: number): boolean {
    const now = this.#clock.now()
    const earned = ((now - this.#at) / DAY_MILLISECONDS) * this.#unitsPerDay
    this.#left = Math.min(this.#unitsPerDay, this.#left + earned)
    this.#at = now
    if (units > this.#left) return false
    this.#left -= units
    return true
  }

  /** Returns units that were not spent after all. */
  giveBack(units: number): void {
    this.#left = Math.min(this.#unitsPerDay, this.#left + units)
  }
}
