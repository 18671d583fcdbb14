import type { Clock } from '@isotherm/runtime'
import { writeUnits } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { inBackground } from '../storage/in-background.js'
import type { Change, StoredItem } from '../storage/ordered-map.js'
import type { Storage } from '../storage/storage.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import type { Catalog } from './catalog.js'
import { closingController } from './closing.js'
import { type Filling, fill } from './fill.js'

/** The dependencies of backfills. */
export interface BackfillParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly catalog: Catalog
  /** Whether the backfill of an index takes capacity from its partitions, and waits for it. */
  readonly isPaid: boolean
}

/** Fills new indexes, of keys and of expiry times, from the items that a table already holds. */
export class Backfill {
  readonly #parts: BackfillParts
  readonly #closing = closingController()

  constructor(parts: BackfillParts) {
    this.#parts = parts
  }

  /** Stops all backfills. */
  close(): void {
    this.#closing.abort()
  }

  fillIndex(table: Table, index: SecondaryIndex): void {
    const { clock, isPaid } = this.#parts
    const { capacity } = index
    // The maximum over all partitions that were charged, because the last one may have plenty left.
    let freeAt = 0
    const changeFor = (key: EncodedKey, stored: StoredItem): Change | undefined => {
      const change = index.missingEntry(key, stored)
      if (change !== undefined && isPaid) {
        const units = writeUnits(change.after?.bytes ?? 0)
        const partition = capacity.partitions.find(change.key)
        const now = clock.now()
        capacity.occupy('write', partition, change.key, units, now)
        freeAt = Math.max(freeAt, capacity.freeAt('write', partition, now))
      }
      return change
    }
    this.#fill(
      table,
      {
        isStopped: () => table.isGone || table.indexes.get(index.definition.name) !== index,
        changeFor,
        freeAt: isPaid ? () => freeAt : undefined,
      },
      () => index.complete(clock.now()),
    )
  }

  fillExpiry(table: Table): void {
    const { expiry } = table
    if (expiry === undefined) return
    this.#fill(
      table,
      {
        isStopped: () => table.isGone || table.expiry !== expiry,
        changeFor: (key, stored) => expiry.missingEntry(key, stored),
      },
      () => table.completeTimeToLive(),
    )
  }

  #fill(table: Table, how: Pick<Filling, 'isStopped' | 'changeFor' | 'freeAt'>, complete: () => void): void {
    const { storage, clock, catalog } = this.#parts
    const done = () => {
      if (how.isStopped()) return
      complete()
      inBackground(catalog.save(table))
    }
    const { signal } = this.#closing
    const filled = fill({ items: table.items, storage, clock, signal, ...how })
    if (filled === undefined) complete()
    else inBackground(filled.then(done))
  }
}
