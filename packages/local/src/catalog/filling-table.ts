import type { Clock } from '@isotherm/runtime'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { afterwards } from '../storage/afterwards.js'
import type { StoredItem } from '../storage/ordered-map.js'
import type { RecordChange, RecordValue } from '../storage/record.js'
import type { Awaitable, Storage } from '../storage/storage.js'
import type { Table } from '../table/table.js'
import type { Transition } from '../table/transition.js'
import type { Catalog } from './catalog.js'
import { fill } from './fill.js'
import { noPartitionRecords } from './kept-partitions.js'

/** Marks a table that is being filled. What a process that ended has left of it is removed at the next start. */
const MARK = 'restoring/'

/** Later than any clock: a table that is being filled stays CREATING until it has all items. */
const NEVER = Number.MAX_SAFE_INTEGER

/** The dependencies of a table that is being filled. */
export interface FillingParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly catalog: Catalog
}

/** A new table that is CREATING until it has all its items: those of a backup, or of an import. */
export class FillingTable {
  readonly table: Table
  readonly #parts: FillingParts
  readonly #transition: Transition | undefined

  /** @param table in the catalog, and not saved. */
  constructor(table: Table, parts: FillingParts) {
    this.table = table
    this.#parts = parts
    this.#transition = table.state.transition
    table.change({ ...table.state, transition: { status: 'CREATING', until: NEVER } }, parts.clock.now())
  }

  /** The change that removes the mark. It belongs to the write that completes the table, or removes it. */
  get unmarked(): RecordChange {
    return { name: MARK + this.table.keyspace, value: undefined }
  }

  /** Marks the table, together with other records. Only then may items be written to it. */
  begin(records: readonly RecordChange[] = []): Awaitable<void> {
    const { keyspace, indexes } = this.table
    const keyspaces = [keyspace, ...[...indexes.values()].map((index) => index.keyspace)]
    return this.#parts.storage.write([], [{ name: MARK + keyspace, value: keyspaces }, ...records])
  }

  /** Fills the indexes from the items. */
  fillIndexes(signal: AbortSignal): Awaitable<void> {
    const { storage, clock } = this.#parts
    const { table } = this
    const indexes = [...table.indexes.values()]
    return indexes.reduce<Awaitable<void>>((before, index) => {
      const next = () =>
        fill({
          items: table.items,
          storage,
          clock,
          signal,
          isStopped: () => table.isGone,
          changeFor: (key: EncodedKey, stored: StoredItem) => index.missingEntry(key, stored),
        })
      return afterwards(before, next) as Awaitable<void>
    }, undefined)
  }

  /** Saves the table, which has all its items, together with other records. */
  complete(records: readonly RecordChange[] = []): Awaitable<void> {
    const { table } = this
    const { clock, catalog } = this.#parts
    if (table.isGone) return
    const { transition: _, ...state } = table.state
    const transition = this.#transition
    table.change(transition === undefined ? state : { ...state, transition }, clock.now())
    return catalog.save(table, [this.unmarked, ...records])
  }
}

/** The keyspaces and records that a process has left of a table that it was filling. */
export function leftovers(
  keyspace: string,
  value: RecordValue,
): {
  readonly keyspaces: readonly string[]
  readonly records: readonly RecordChange[]
} {
  const keyspaces = value as readonly string[]
  return {
    keyspaces,
    records: [
      { name: MARK + keyspace, value: undefined },
      { name: `table/${keyspace}`, value: undefined },
      ...keyspaces.flatMap(noPartitionRecords),
    ],
  }
}
