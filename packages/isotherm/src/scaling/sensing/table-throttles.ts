import type { Clock } from '@isotherm/runtime'
import type { Access, Emit } from '../../events/event.js'

/** Throttles can arrive by the thousand, and one event per second is enough to act on. */
const EVENT_INTERVAL_MILLISECONDS = 1_000

/** Emits an event when a table as a whole is throttled, which more shards cannot solve. */
export class TableThrottles {
  readonly #table: string
  readonly #clock: Clock
  readonly #emit: Emit
  readonly #toldAt = { read: Number.NEGATIVE_INFINITY, write: Number.NEGATIVE_INFINITY }

  constructor(table: string, clock: Clock, emit: Emit) {
    this.#table = table
    this.#clock = clock
    this.#emit = emit
  }

  /**
   * Handles a request that was throttled by the table.
   * @param reasons empty if the service gave none, and the table's capacity and rate showed the cause
   */
  throttled(reasons: readonly string[], access: Access): void {
    const at = this.#clock.now()
    if (at - this.#toldAt[access] < EVENT_INTERVAL_MILLISECONDS) return
    this.#toldAt[access] = at
    this.#emit({ type: 'table-throttled', table: this.#table, reasons, access, at })
  }
}
