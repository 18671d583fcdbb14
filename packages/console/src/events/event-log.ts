import type { HeatEvent } from '../api/heat-map.js'

/** A day of a table whose keys change all the time. About 200 bytes each. */
const MAX_EVENTS = 10_000

/** The newest events of all tables. */
export class EventLog {
  #events: HeatEvent[] = []

  add(event: HeatEvent): void {
    this.#events.push(event)
    // Cut seldom, because that copies all of them.
    if (this.#events.length > 2 * MAX_EVENTS) this.#events = this.#events.slice(-MAX_EVENTS)
  }

  /** The events of a table, or of one of its indexes. */
  of(table: string, index: string | undefined): readonly HeatEvent[] {
    return this.#events.filter((event) => event.table === table && event.index === index)
  }
}
