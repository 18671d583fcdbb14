import { type Item, MAX_PAGE_BYTES, type ReadConsistency, readUnits, writeUnits } from '@isotherm/semantics'
import { admit, type Demand, type Enforcement } from '../capacity/admission.js'
import type { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import { Throttled } from '../capacity/throttled.js'
import { type EncodedKey, encodeKey } from '../keyspace/encoded-key.js'
import type { Partition } from '../partition/partition.js'
import type { Awaitable, Change, OrderedMap, RecordChange, Storage, StoredItem } from '../storage/storage.js'
import { ItemLocks } from './item-locks.js'
import { keyValues } from './key-values.js'
import type { Page, PageRequest } from './page.js'
import type { SecondaryIndex } from './secondary-index.js'
import type { BillingMode, TableDefinition, Throughput } from './table-definition.js'

/** A write of one item: what was there and what shall be there. */
export interface ItemWrite {
  readonly key: EncodedKey
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
}

/** Units that a write took, by where. */
export interface WriteUnits {
  readonly table: number
  /** By index name; indexes that nothing was written to are not there. */
  readonly indexes: ReadonlyMap<string, number>
}

/** A write with everything worked out and nothing taken or changed yet. */
export interface PreparedWrite {
  readonly demands: readonly Demand[]
  readonly changes: readonly Change[]
  readonly units: WriteUnits
}

/** What a store is asked to do for writes: all of it or nothing. */
export interface StoreWrite {
  readonly changes: readonly Change[]
  readonly records: readonly RecordChange[]
}

const NO_INDEXES: ReadonlyMap<string, number> = new Map()

/** What a table is made of. */
export interface TableParts {
  readonly id: string
  readonly arn: string
  readonly keyspace: string
  readonly items: OrderedMap
  readonly capacity: KeyspaceCapacity
  readonly indexes: ReadonlyMap<string, SecondaryIndex>
  readonly storage: Storage
  readonly enforcement: Enforcement
  readonly now: () => number
}

/**
 * A table: an ordered keyspace of items, the indexes that follow it, and the capacity that guards them.
 *
 * A write is prepared, then admitted, then applied, in three steps that batches and transactions can take for many
 * items at once. Nothing here validates: what arrives is well formed.
 */
export class Table {
  definition: TableDefinition
  readonly id: string
  readonly createdAt: number
  readonly arn: string
  readonly capacity: KeyspaceCapacity
  readonly indexes: ReadonlyMap<string, SecondaryIndex>
  /** Items that running transactions hold. */
  readonly locks = new ItemLocks()
  readonly #keyspace: string
  readonly #items: OrderedMap
  readonly #storage: Storage
  readonly #enforcement: Enforcement
  readonly #now: () => number
  #onDemandSince: number | undefined

  constructor(definition: TableDefinition, parts: TableParts) {
    this.definition = definition
    this.id = parts.id
    this.arn = parts.arn
    this.capacity = parts.capacity
    this.indexes = parts.indexes
    this.#keyspace = parts.keyspace
    this.#items = parts.items
    this.#storage = parts.storage
    this.#enforcement = parts.enforcement
    this.#now = parts.now
    this.createdAt = parts.now()
    this.#onDemandSince = definition.billingMode === 'PAY_PER_REQUEST' ? this.createdAt : undefined
  }

  get billingMode(): BillingMode {
    return this.definition.billingMode
  }

  get itemCount(): number {
    return this.#items.size
  }

  /** Size of all items, in bytes. */
  get bytes(): number {
    return this.#items.bytes
  }

  /** When the table was last switched to on-demand mode, in milliseconds; nothing if it never was. */
  get onDemandSince(): number | undefined {
    return this.#onDemandSince
  }

  /**
   * Changes the billing mode and throughput of the table and of the indexes named. On-demand tables and indexes have a
   * throughput of 0.
   */
  changeThroughput(
    billingMode: BillingMode,
    throughput: Throughput,
    indexes: ReadonlyMap<string, Throughput> = new Map(),
  ): void {
    const now = this.#now()
    if (billingMode === 'PAY_PER_REQUEST' && this.billingMode === 'PROVISIONED') this.#onDemandSince = now
    for (const index of this.indexes.values()) {
      const wanted = indexes.get(index.definition.name) ?? index.definition.throughput
      index.definition = { ...index.definition, throughput: wanted }
      index.capacity.change(billingMode, wanted, now)
    }
    const definitions = [...this.indexes.values()].map(({ definition }) => definition)
    this.definition = { ...this.definition, billingMode, throughput, indexes: definitions }
    this.capacity.change(billingMode, throughput, now)
  }

  /** Where the item with this key lies. The key attributes must be there. */
  encodeKey(item: Item): EncodedKey {
    const { hash, range } = this.definition.schema
    const partition = keyValues(hash, item)
    const sort = keyValues(range, item)
    if (partition === undefined || sort === undefined)
      throw new TypeError('An item without its key has no place.')
    return encodeKey(partition, sort)
  }

  /** What is there, without charge: for conditions and updates, which the write itself pays for. */
  peek(key: EncodedKey): StoredItem | undefined {
    return this.#items.latest(key)
  }

  /** What a reader sees, without charge: for transactions, which pay for all their items together. */
  stored(key: EncodedKey): StoredItem | undefined {
    return this.#items.get(key)
  }

  /** @throws Throttled */
  getItem(key: EncodedKey, consistency: ReadConsistency): { stored: StoredItem | undefined; units: number } {
    const stored = this.#items.get(key)
    const units = readUnits(stored?.bytes ?? 0, consistency)
    this.#admit([{ capacity: this.capacity, kind: 'read', key, units }])
    return { stored, units }
  }

  /** @throws Throttled or ItemLocked, having changed nothing. */
  write(write: ItemWrite): Awaitable<WriteUnits> {
    this.locks.assertFree(write.key)
    const prepared = this.prepare(write)
    this.#admit(prepared.demands)
    return this.apply([prepared], prepared.units)
  }

  /** What a write costs and changes. The larger of the two items is what it is charged for. */
  prepare({ key, before, after }: ItemWrite): PreparedWrite {
    const table = writeUnits(Math.max(before?.bytes ?? 0, after?.bytes ?? 0))
    const demand: Demand = { capacity: this.capacity, kind: 'write', key, units: table }
    const change: Change = { keyspace: this.#keyspace, key, before, after }
    if (this.indexes.size === 0) {
      return { demands: [demand], changes: [change], units: { table, indexes: NO_INDEXES } }
    }
    const demands = [demand]
    const changes = [change]
    const indexes = new Map<string, number>()
    for (const [name, index] of this.indexes) {
      const write = index.writeFor(before, after)
      if (write.units === 0) continue
      demands.push(...write.demands)
      changes.push(...write.changes)
      indexes.set(name, write.units)
    }
    return { demands, changes, units: { table, indexes } }
  }

  /** Makes prepared and admitted writes true, all or none. */
  apply<T>(writes: readonly PreparedWrite[], result: T): Awaitable<T> {
    const { changes, records } = this.storeWrite(writes)
    const written = this.#storage.write(changes, records)
    return written === undefined ? result : written.then(() => result)
  }

  /** Everything that prepared and admitted writes of this table ask of the store, to be written at once and once. */
  storeWrite(writes: readonly PreparedWrite[]): StoreWrite {
    const [only] = writes
    const changes =
      writes.length === 1 && only !== undefined ? only.changes : writes.flatMap((each) => each.changes)
    return { changes, records: [] }
  }

  /**
   * A write whose condition does not hold is charged as if it had been made, without the indexes.
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
   * Reads up to a page: at most 1 MB, ended by the item that crosses it. Every partition on the way must have capacity;
   * one that has none ends the page, or throttles the request when nothing was read yet.
   * @throws Throttled
   */
  readPage(request: PageRequest): Page {
    const { capacity, items } = this.#view(request.index)
    const now = this.#now()
    const touched = capacity.partitions.touching(request.range)
    const inOrder = request.reverse ? touched.toReversed() : touched
    const items_: StoredItem[] = []
    const visits: { partition: Partition; key: EncodedKey; bytes: number }[] = []
    let bytes = 0
    let last: Page['last']
    for (const partition of inOrder) {
      const range = intersect(request.range, partition.from, capacity.partitions.endOf(partition))
      const refusal = this.#enforcement.throttle ? capacity.refusal('read', partition, now) : undefined
      if (refusal !== undefined) {
        capacity.throttle('read', partition, range.from, now)
        if (last === undefined) throw new Throttled(this.billingMode, [refusal])
        return this.#finish(request, capacity, visits, { items: items_, last, bytes }, now)
      }
      const visit = { partition, key: range.from, bytes: 0 }
      visits.push(visit)
      for (const [key, stored] of items.range(range, request.reverse)) {
        items_.push(stored)
        visit.bytes += stored.bytes
        bytes += stored.bytes
        last = { key, stored }
        if (bytes >= MAX_PAGE_BYTES || items_.length === request.limit) {
          return this.#finish(request, capacity, visits, { items: items_, last, bytes }, now)
        }
      }
    }
    return this.#finish(request, capacity, visits, { items: items_, bytes }, now)
  }

  #finish(
    request: PageRequest,
    capacity: KeyspaceCapacity,
    visits: readonly { partition: Partition; key: EncodedKey; bytes: number }[],
    page: Omit<Page, 'units'>,
    now: number,
  ): Page {
    const together = readUnits(page.bytes, request.consistency)
    const minimum = readUnits(0, request.consistency)
    const units = request.access === 'scan' ? Math.max(together, minimum * visits.length) : together
    for (const { partition, key, bytes } of visits) {
      const share = page.bytes === 0 ? units / visits.length : (units * bytes) / page.bytes
      capacity.take('read', partition, key, share, now)
    }
    return { ...page, units }
  }

  #view(index: string | undefined): { capacity: KeyspaceCapacity; items: OrderedMap } {
    if (index === undefined) return { capacity: this.capacity, items: this.#items }
    const view = this.indexes.get(index)
    if (view === undefined) throw new TypeError(`The table has no index ${index}; the caller must check.`)
    return view
  }

  #admit(demands: readonly Demand[]): void {
    admit(demands, this.billingMode, this.#now(), this.#enforcement)
  }
}

function intersect(
  range: PageRequest['range'],
  from: EncodedKey,
  to: EncodedKey | undefined,
): PageRequest['range'] {
  const end = range.to === undefined || (to !== undefined && to < range.to) ? to : range.to
  return { from: from > range.from ? from : range.from, to: end }
}
