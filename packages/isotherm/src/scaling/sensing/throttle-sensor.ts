import type { Clock } from '@isotherm/runtime'
import type { Access, ThrottleScope } from '../../events/event.js'
import { scopeOf } from '../../sdk/throttle.js'
import type { TableCapacity, TableCapacityReader } from './table-capacity.js'
import { WindowCounter } from './window-counter.js'

/** The service limits throughput per second. */
const RATE_WINDOW_MILLISECONDS = 1_000

/**
 * Distinguishes throttles by a hot partition from throttles by the table. It uses the service's reasons or, if there
 * are none, the table's capacity and rate.
 */
export class ThrottleSensor {
  readonly #access: Access
  readonly #clock: Clock
  readonly #capacity: TableCapacityReader
  readonly #onDescribeFailed: (error: unknown) => void
  readonly #used = new WindowCounter(RATE_WINDOW_MILLISECONDS)
  /** The cached capacity whose failure was already reported, so that many throttles report it only once. */
  #told: Promise<TableCapacity> | undefined

  constructor(
    access: Access,
    clock: Clock,
    capacity: TableCapacityReader,
    onDescribeFailed: (error: unknown) => void,
  ) {
    this.#access = access
    this.#clock = clock
    this.#capacity = capacity
    this.#onDescribeFailed = onDescribeFailed
  }

  /** Records units that this process has used of the table. */
  accepted(units: number): void {
    this.#used.add(units, this.#clock.now())
  }

  /** The scope of a throttle. Returns it synchronously if the reasons are sufficient. */
  scope(reasons: readonly string[]): ThrottleScope | Promise<ThrottleScope> {
    return scopeOf(reasons) ?? this.#scopeByFigures()
  }

  /**
   * Determines the scope without reasons, for older services and other engines. A table that is used at its
   * provisioned rate is too small. Otherwise it has a hot partition.
   */
  async #scopeByFigures(): Promise<ThrottleScope> {
    const usedPerSecond = this.#used.sum(this.#clock.now())
    const answer = this.#capacity.read()
    try {
      const capacity = await answer
      if (capacity.mode === 'on-demand') return 'partition'
      const provisioned = this.#access === 'read' ? capacity.readUnits : capacity.writeUnits
      return usedPerSecond >= provisioned ? 'table' : 'partition'
    } catch (error) {
      if (answer !== this.#told) this.#onDescribeFailed(error)
      this.#told = answer
      return 'unknown'
    }
  }
}
