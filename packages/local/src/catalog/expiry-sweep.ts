import type { Clock } from '@isotherm/runtime'
import { isDamage } from '../errors/is-damage.js'
import { inBackground } from '../storage/in-background.js'
import type { Storage } from '../storage/storage.js'
import type { ExpiryIndex } from '../table/expiry-index.js'
import type { ItemWrite } from '../table/item-write.js'
import type { Table } from '../table/table.js'

/** Expired items removed from a table before one request. The next request removes the rest. */
const EXPIRED_AT_ONCE = 100

/** The size of items after which no more are removed at once: they are read, and a stream may hold them as well. */
const EXPIRED_BYTES_AT_ONCE = 256 * 1024

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
      try {
        this.#removeFrom(table, table.expiry, now)
      } catch (error) {
        if (!isDamage(error)) throw error
        // Requests for what is intact must not fail for it. The table's expired items stay until the next start.
        this.forget(table)
      }
    }
  }

  #removeFrom(table: Table, expiry: ExpiryIndex, now: number): void {
    const removals: ItemWrite[] = []
    let bytes = 0
    for (const key of expiry.expired(now)) {
      if (removals.length === EXPIRED_AT_ONCE || bytes >= EXPIRED_BYTES_AT_ONCE) break
      if (table.locks.holds(key)) continue
      const before = table.peek(key)
      if (before === undefined || !expiry.isExpired(before, now)) continue
      bytes += before.bytes
      removals.push({ key, before, after: undefined, byService: true })
    }
    if (removals.length > 0) {
      table.meter?.expiredItems(removals.length, now)
      const prepared = removals.map((removal) => table.prepare(removal))
      inBackground(table.apply(prepared, undefined))
    }
    // While writes are not durable yet, the index does not show all entries, so the next request looks again.
    if (this.#storage.settled() === undefined) expiry.lookAhead(now)
  }
}
