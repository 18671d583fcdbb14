import type { Clock } from '@isotherm/runtime'
import type { Emit } from '../../events/event.js'

/** Throttles come by the thousand; one sentence a second is enough to act on. */
const EVENT_INTERVAL_MILLISECONDS = 1_000

/** Says that a table is too small as a whole, which no shard can help. */
export class TableThrottles {
  readonly #table: string
  readonly #clock: Clock
  readonly #emit: Emit
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(table: string, clock: Clock, emit: Emit) {
    this.#table = table
    this.#clock = clock
    this.#emit = emit
  }

  /** The table refused a write. `reasons` are empty where its own figures told. */
  throttled(reasons: readonly string[]): void {
    const at = this.#clock.now()
    if (at - this.#toldAt < EVENT_INTERVAL_MILLISECONDS) return
    this.#toldAt = at
    this.#emit({ type: 'table-throttled', table: this.#table, reasons, at })
  }
}
