import type { Clock } from '@isotherm/runtime'
import type { ThrottleScope } from '../../events/event.js'
import { scopeOf } from '../../sdk/throttle.js'
import type { TableCapacity, TableCapacityReader } from './table-capacity.js'
import { WindowCounter } from './window-counter.js'

/** The service admits by the second. */
const RATE_WINDOW_MILLISECONDS = 1_000

/** Tells hot partitions from small tables, by the service's reasons or, where it gives none, by the table's figures. */
export class ThrottleSensor {
  readonly #clock: Clock
  readonly #capacity: TableCapacityReader
  readonly #onDescribeFailed: (error: unknown) => void
  readonly #written = new WindowCounter(RATE_WINDOW_MILLISECONDS)
  /** The answer whose failure was told of: it is remembered, and throttles come by the thousand. */
  #told: Promise<TableCapacity> | undefined

  constructor(clock: Clock, capacity: TableCapacityReader, onDescribeFailed: (error: unknown) => void) {
    this.#clock = clock
    this.#capacity = capacity
    this.#onDescribeFailed = onDescribeFailed
  }

  /** So many units were written to the table by this process. */
  accepted(units: number): void {
    this.#written.add(units, this.#clock.now())
  }

  /** Answers at once where the reasons tell. */
  scope(reasons: readonly string[]): ThrottleScope | Promise<ThrottleScope> {
    return scopeOf(reasons) ?? this.#scopeByFigures()
  }

  /**
   * Older services and other engines give no reason. Then a table that is consumed at its provisioned rate is too small,
   * and one that is not has a hot partition.
   */
  async #scopeByFigures(): Promise<ThrottleScope> {
    const writtenPerSecond = this.#written.sum(this.#clock.now())
    const answer = this.#capacity.read()
    try {
      const capacity = await answer
      return capacity.mode === 'provisioned' && writtenPerSecond >= capacity.writeUnits
        ? 'table'
        : 'partition'
    } catch (error) {
      if (answer !== this.#told) this.#onDescribeFailed(error)
      this.#told = answer
      return 'unknown'
    }
  }
}
