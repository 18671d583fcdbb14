import type { Access, ThrottleScope } from '../../events/event.js'
import { scopeOf } from '../../sdk/throttle.js'
import { scopeByUsage } from './scope-by-usage.js'
import type { TableCapacity, TableCapacityReader } from './table-capacity.js'
import type { TableUsageReader } from './table-usage-reader.js'

interface ThrottleSensorOptions {
  readonly access: Access
  readonly capacity: TableCapacityReader
  /** `undefined` if the application gave no metrics. */
  readonly usage: TableUsageReader | undefined
  readonly onDescribeFailed: (error: unknown) => void
}

/**
 * Distinguishes throttles by a hot partition from throttles by the table. It uses the service's reasons or, if there
 * are none, the figures of the whole table.
 */
export class ThrottleSensor {
  readonly #options: ThrottleSensorOptions
  /** The cached capacity whose failure was already reported, so that many throttles report it only once. */
  #told: Promise<TableCapacity> | undefined

  constructor(options: ThrottleSensorOptions) {
    this.#options = options
  }

  /** The scope of a throttle. Returns it synchronously if the reasons are sufficient. */
  scope(reasons: readonly string[]): ThrottleScope | Promise<ThrottleScope> {
    return scopeOf(reasons) ?? this.#scopeByFigures()
  }

  async #scopeByFigures(): Promise<ThrottleScope> {
    const { access, capacity, usage, onDescribeFailed } = this.#options
    const known = usage?.throttled()
    const answer = capacity.read()
    try {
      return scopeByUsage(access, await answer, known)
    } catch (error) {
      if (answer !== this.#told) onDescribeFailed(error)
      this.#told = answer
      return 'unknown'
    }
  }
}
