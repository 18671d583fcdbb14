import type { Clock } from '@isotherm/runtime'
import { inBackground } from '../storage/in-background.js'
import type { Storage } from '../storage/storage.js'
import type { Table } from '../table/table.js'

/** Expired items removed from a table before one request. The next request removes the rest. */
const EXPIRED_AT_ONCE = 100

/** Removes expired items. */
export class ExpirySweep {
  readonly #storage: Storage
  readonly #clock: Clock
  #tables: readonly Table[] = []

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage
    this.#clock = clock
  }

  /** Sweeps a table if its items expire, and no longer if they do not. */
  follow(table: Table): void {
    this.forget(table)
    if (table.expiry !== undefined) this.#tables = [...this.#tables, table]
  }

  forget(table: Table): void {
    this.#tables = this.#tables.filter((each) => each !== table)
  }

  clear(): void {
    this.#tables = []
  }

  /** Removes expired items, up to a limit. This runs with every request, so nothing has to run in the background. */
  removeExpired(): void {
    if (this.#tables.length === 0) return
    const now = this.#clock.now()
    for (const table of this.#tables) {
      if (!table.expiry?.isDue(now)) continue
      const removals = table.expiry
        .expired(now, EXPIRED_AT_ONCE, (key) => {
          return !table.locks.holds(key) && table.expiry?.isExpired(table.peek(key), now) === true
        })
        .map((key) => ({ key, before: table.peek(key), after: undefined, byService: true }))
      if (removals.length > 0) {
        table.meter?.expiredItems(removals.length, now)
        const prepared = removals.map((removal) => table.prepare(removal))
        inBackground(table.apply(prepared, undefined))
      }
      // While writes are not durable yet, the index does not show all entries, so the next request looks again.
      if (this.#storage.settled() === undefined) table.expiry.lookAhead(now)
    }
  }
}
