import { type Item, pickAttributes, type ReadConsistency, readUnits, writeUnits } from '@isotherm/semantics'
import { admit, type Demand, type Enforcement } from '../capacity/admission.js'
import { type EncodedKey, encodeKey, encodePartition } from '../keyspace/encoded-key.js'
import type { Change, OrderedMap, StoredItem } from '../storage/ordered-map.js'
import type { Awaitable, Storage } from '../storage/storage.js'
import { ItemCollections } from './item-collections.js'
import { ItemLocks } from './item-locks.js'
import {
  type CollectionGrowth,
  type ItemWrite,
  type PreparedWrite,
  type StoreWrite,
  tableUnits,
  type WriteUnits,
} from './item-write.js'
import { keyValues } from './key-values.js'
import { LaggingView } from './lagging-view.js'
import { ManagedTable, type ManagedTableParts } from './managed-table.js'
import type { Page, PageRequest } from './page.js'
import { type ReadView, readPage, readPageInSteps } from './page-reader.js'
import type { RecentChanges } from './recent-changes.js'
import type { QueuedEntry } from './secondary-index.js'
import { TableGone } from './table-gone.js'
import type { TableState } from './table-state.js'

/** The parts of a table. */
export interface TableParts extends ManagedTableParts {
  readonly items: OrderedMap
  readonly storage: Storage
  readonly enforcement: Enforcement
  readonly recent: RecentChanges
  readonly itemCollectionBytes: number
}

/**
 * A table: an ordered keyspace of items, its indexes, its stream, and the capacity that limits them.
 *
 * A write is prepared, then admitted, then applied. Batches and transactions perform each of the three steps for many
 * items at once. Nothing here validates requests. Callers pass valid values only.
 */
export class Table extends ManagedTable {
  readonly items: OrderedMap
  /** Sizes of item collections, which only tables with local indexes limit. */
  readonly collections: ItemCollections | undefined
  /** Items that running transactions hold. */
  readonly locks = new ItemLocks()
  readonly #recent: RecentChanges
  readonly #storage: Storage
  readonly #enforcement: Enforcement

  constructor(state: TableState, parts: TableParts) {
    super(state, parts)
    this.items = parts.items
    this.#storage = parts.storage
    this.#enforcement = parts.enforcement
    this.#recent = parts.recent
    const local = parts.indexes.filter(({ isLocal }) => isLocal)
    if (local.length > 0) {
      this.collections = new ItemCollections([parts, ...local], parts.itemCollectionBytes)
    }
  }

  /** The key of an item. The key attributes must be present. */
  encodeKey(item: Item): EncodedKey {
    const { hash, range } = this.definition.schema
    const partition = keyValues(hash, item)
    const sort = keyValues(range, item)
    if (partition === undefined || sort === undefined)
      throw new TypeError('An item without its key has no place.')
    return encodeKey(partition, sort)
  }

  /** The key of an item. */
  keyOf(item: Item): Item {
    const { hash, range } = this.definition.schema
    return pickAttributes(
      item,
      [...hash, ...range].map(({ name }) => name),
    )
  }

  /** The prefix of the keys of all items in the item's collection. */
  encodeCollection(item: Item): string {
    const partition = keyValues(this.definition.schema.hash, item)
    if (partition === undefined) throw new TypeError('An item without its key is in no collection.')
    return encodePartition(partition)
  }

  /** The latest item, free of charge. For conditions and updates, which the write pays for. */
  peek(key: EncodedKey): StoredItem | undefined {
    return this.items.latest(key)
  }

  /** The item that readers see, free of charge. For transactions, which pay for all their items together. */
  stored(key: EncodedKey): StoredItem | undefined {
    return this.items.get(key)
  }

  /** @throws Throttled */
  getItem(key: EncodedKey, consistency: ReadConsistency): { stored: StoredItem | undefined; units: number } {
    const stored = this.#read(key, consistency)
    const units = readUnits(stored?.bytes ?? 0, consistency)
    this.#admit([{ capacity: this.capacity, kind: 'read', key, units }])
    return { stored, units }
  }

  /** @throws Throttled, ItemLocked, CollectionTooLarge or TableGone. Nothing has changed then. */
  write(write: ItemWrite): Awaitable<WriteUnits> {
    if (this.isGone) throw new TableGone()
    this.locks.assertFree(write.key)
    const prepared = this.prepare(write)
    if (prepared.growth !== undefined) this.checkRoom(prepared.growth)
    this.#admit(prepared.demands)
    return this.apply([prepared], prepared.units)
  }

  /** @throws CollectionTooLarge when the item collection would grow beyond its limit. */
  checkRoom({ collection, bytes }: CollectionGrowth): void {
    this.collections?.checkRoom(collection, bytes)
  }

  /** Computes the cost and the changes of a write. The larger of the two items is charged. */
  prepare(write: ItemWrite): PreparedWrite {
    const { key, before, after } = write
    const table = writeUnits(Math.max(before?.bytes ?? 0, after?.bytes ?? 0))
    const change: Change = { keyspace: this.keyspace, key, before, after }
    if (this.indexes.size === 0 && this.expiry === undefined) {
      return {
        write,
        demands: [this.#writeDemand(key, table)],
        changes: [change],
        units: tableUnits(table),
        queued: [],
      }
    }
    let inTable = table
    const ofIndexes: Demand[] = []
    const changes = [change]
    const indexes = new Map<string, number>()
    const localIndexes = new Map<string, number>()
    const queued: QueuedEntry[] = []
    for (const [name, index] of this.indexes) {
      const entries = index.writeFor(before, after)
      if (entries.units === 0) continue
      // A local index shares its table's partitions, so its units are admitted and counted with those of the item.
      if (index.isLocal) inTable += entries.units
      ofIndexes.push(...entries.demands)
      changes.push(...entries.changes)
      queued.push(...entries.queued)
      ;(index.isLocal ? localIndexes : indexes).set(name, entries.units)
    }
    const growth = this.#growth(write, changes)
    if (this.expiry !== undefined) changes.push(...this.expiry.changesFor(key, before, after))
    const demands = [this.#writeDemand(key, inTable), ...ofIndexes]
    return { write, demands, changes, units: { table, indexes, localIndexes }, queued, ...growth }
  }

  /** Applies prepared and admitted writes, all or none. */
  apply<T>(writes: readonly PreparedWrite[], result: T): Awaitable<T> {
    const { changes, records } = this.storeWrite(writes)
    const written = this.#storage.write(changes, records)
    return written === undefined ? result : written.then(() => result)
  }

  /**
   * All changes in the store for prepared and admitted writes of this table, including stream records. The caller must
   * apply them at once and only once, because this call decides the order of the stream.
   */
  storeWrite(writes: readonly PreparedWrite[]): StoreWrite {
    const now = this.clock.now()
    for (const { write, changes, growth, queued } of writes) {
      if (growth !== undefined) this.collections?.written(growth.collection, changes)
      for (const { queue, write: entry } of queued) {
        // Writes by the service itself consume no capacity.
        queue.push(write.byService ? { ...entry, units: 0 } : entry, now)
      }
    }
    const [only] = writes
    const changes = writes.length === 1 && only !== undefined ? only.changes : changesOf(writes)
    this.#recent.record(changes, now)
    if (this.stream === undefined) return { changes, records: [] }
    const streamed = this.stream.append(
      writes.map(({ write }) => write),
      now,
    )
    return { changes: [...changes, ...streamed.changes], records: streamed.records }
  }

  /**
   * Charges a write whose condition failed as if it had succeeded, without the indexes.
   * @returns the units.
   * @throws Throttled or ItemLocked
   */
  chargeFailedCondition({ key, before, after }: ItemWrite): number {
    this.locks.assertFree(key)
    const units = writeUnits(Math.max(before?.bytes ?? 0, after?.bytes ?? 0))
    this.#admit([{ capacity: this.capacity, kind: 'write', key, units }])
    return units
  }

  /**
   * Reads a page of the table, or of one of its indexes.
   * @throws Throttled
   */
  readPage(request: PageRequest): Page {
    return readPage(this.#view(request), request, this.clock.now(), this.#enforcement)
  }

  /**
   * The same in steps, between which other requests may be served.
   * @throws Throttled or TableGone
   */
  readPageInSteps(request: PageRequest): Generator<undefined, Page, undefined> {
    const open = () => {
      if (this.isGone) throw new TableGone()
      return this.#view(request)
    }
    return readPageInSteps(open, request, this.clock, this.#enforcement)
  }

  #read(key: EncodedKey, consistency: ReadConsistency): StoredItem | undefined {
    const hidden =
      consistency === 'eventual' ? this.#recent.hiddenFromRead(this.keyspace, this.clock.now()) : undefined
    return hidden?.hides(key) ? hidden.visible(key) : this.items.get(key)
  }

  /** A keyspace as a read of this consistency sees it. */
  #seen(keyspace: string, items: OrderedMap, consistency: ReadConsistency): Pick<OrderedMap, 'range'> {
    const hidden =
      consistency === 'eventual' ? this.#recent.hiddenFromRead(keyspace, this.clock.now()) : undefined
    return hidden === undefined ? items : new LaggingView(items, hidden)
  }

  #view({ index, wholeItems = false, consistency }: PageRequest): ReadView {
    const { billingMode } = this
    if (index === undefined) {
      return {
        capacity: this.capacity,
        items: this.#seen(this.keyspace, this.items, consistency),
        billingMode,
      }
    }
    const view = this.indexes.get(index)
    if (view === undefined) throw new TypeError(`The table has no index ${index}; the caller must check.`)
    view.catchUp(this.clock.now())
    const wholeItem = (entry: StoredItem) => this.items.get(this.encodeKey(entry.item))
    return {
      capacity: view.capacity,
      items: view.isLocal ? this.#seen(view.keyspace, view.items, consistency) : view.view,
      billingMode,
      wholeItem: wholeItems ? wholeItem : undefined,
    }
  }

  #growth({ before, after }: ItemWrite, changes: readonly Change[]): Pick<PreparedWrite, 'growth'> {
    const item = (after ?? before)?.item
    if (this.collections === undefined || item === undefined) return {}
    return { growth: { collection: this.encodeCollection(item), bytes: this.collections.growth(changes) } }
  }

  #writeDemand(key: EncodedKey, units: number): Demand {
    return { capacity: this.capacity, kind: 'write', key, units }
  }

  #admit(demands: readonly Demand[]): void {
    admit(demands, this.billingMode, this.clock.now(), this.#enforcement)
  }
}

function changesOf(writes: readonly PreparedWrite[]): readonly Change[] {
  const all: Change[] = []
  for (const { changes } of writes) all.push(...changes)
  return all
}
