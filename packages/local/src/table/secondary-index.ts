import {
  attributeOf,
  equalItems,
  type Item,
  itemBytes,
  MAX_PARTITION_KEY_BYTES,
  MAX_SORT_KEY_BYTES,
  pickAttributes,
  valueBytes,
  writeUnits,
} from '@isotherm/semantics'
import type { Demand } from '../capacity/admission.js'
import type { CapacitySettings } from '../capacity/capacity-settings.js'
import type { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import { type EncodedKey, encodeKey } from '../keyspace/encoded-key.js'
import type { Change, OrderedMap, StoredItem } from '../storage/ordered-map.js'
import type { IndexEntryWrite, IndexQueue } from './index-queue.js'
import { keyValues } from './key-values.js'
import { LaggingView } from './lagging-view.js'
import { PrintedItem } from './printed-item.js'
import type { IndexDefinition, KeyAttribute, KeySchema, TableDefinition } from './table-definition.js'
import type { IndexMeter } from './table-meter.js'
import { historyAfter } from './throughput-history.js'
import type { IndexState } from './transition.js'

/** An entry of an index: its key and its content. */
interface Entry {
  readonly key: EncodedKey
  readonly stored: StoredItem
}

/** An entry that is added, changed or removed. */
type EntryWrite = Omit<Change, 'keyspace'>

/** The effect of one write of the base item on an index. */
export interface IndexWrite {
  /** The demands of a global index. For a local index, its table adds them. */
  readonly demands: readonly Demand[]
  readonly changes: readonly Change[]
  readonly units: number
  /** Changes of a global index that become visible to readers after the base write is admitted. */
  readonly queued: readonly QueuedEntry[]
}

/** A change of an index, and the queue that applies it. */
export interface QueuedEntry {
  readonly queue: IndexQueue
  readonly write: IndexEntryWrite
}

const NO_WRITE: IndexWrite = { demands: [], changes: [], units: 0, queued: [] }

/** The keyspace of an index and its dependencies. */
export interface IndexPlace {
  readonly arn: string
  readonly keyspace: string
  readonly items: OrderedMap
  /** The index's own capacity if it is global, and the table's if it is local. */
  readonly capacity: KeyspaceCapacity
  /** The queue through which changes become visible. A local index has none, because it is written with its table. */
  readonly queue: IndexQueue | undefined
  /** Present for a global index when metrics are recorded. */
  readonly meter: IndexMeter | undefined
}

/**
 * A secondary index: a separate keyspace that follows the base table. A global index has its own partitions. The
 * entries of a local index share the partitions of the table, which is charged for them.
 */
export class SecondaryIndex {
  readonly arn: string
  readonly keyspace: string
  readonly items: OrderedMap
  readonly capacity: KeyspaceCapacity
  readonly meter: IndexMeter | undefined
  /** The entries visible to readers. A global index may lag behind. */
  readonly view: Pick<OrderedMap, 'range'>
  #definition: IndexDefinition
  #state: IndexState
  readonly #queue: IndexQueue | undefined
  readonly #baseSchema: KeySchema
  readonly #projected: ReadonlySet<string> | undefined

  constructor(definition: IndexDefinition, state: IndexState, place: IndexPlace, baseSchema: KeySchema) {
    this.#definition = definition
    this.#state = state
    this.arn = place.arn
    this.keyspace = place.keyspace
    this.items = place.items
    this.capacity = place.capacity
    this.meter = place.meter
    this.#queue = place.queue
    this.view = place.queue === undefined ? place.items : new LaggingView(place.items, place.queue)
    this.#baseSchema = baseSchema
    this.#projected = projectedNames(definition, baseSchema)
  }

  get definition(): IndexDefinition {
    return this.#definition
  }

  get state(): IndexState {
    return this.#state
  }

  get isLocal(): boolean {
    return this.definition.kind === 'local'
  }

  /** The key of an entry: the key attributes of the index and of its table. */
  keyOf(entry: Item): Item {
    return pickAttributes(entry, new Set([...namesOf(this.definition.schema), ...namesOf(this.#baseSchema)]))
  }

  /** Whether entries hold the attribute. */
  projects(attribute: string): boolean {
    return this.#projected?.has(attribute) ?? true
  }

  /** The key of an entry with these key attributes, or `undefined` when one is missing. */
  encodeEntryKey(item: Item): EncodedKey | undefined {
    const { hash, range } = this.definition.schema
    const partition = keyValues(hash, item)
    const sort = keyValues(range, item)
    const base = keyValues([...this.#baseSchema.hash, ...this.#baseSchema.range], item)
    if (partition === undefined || sort === undefined || base === undefined) return undefined
    return encodeKey(partition, sort, base)
  }

  /**
   * The changes and the cost of a write. It is free when neither item is in the index or no projected attribute
   * changes. Adding, changing or removing an entry costs one write, and changing an entry's key costs two. Source:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html
   */
  writeFor(before: StoredItem | undefined, after: StoredItem | undefined): IndexWrite {
    const oldEntry = this.#presentEntryOf(before)
    const newEntry = after === undefined ? undefined : this.#entryOf(after)
    if (oldEntry === undefined && newEntry === undefined) return NO_WRITE
    if (oldEntry?.key === newEntry?.key && oldEntry !== undefined && newEntry !== undefined) {
      if (equalItems(oldEntry.stored.item, newEntry.stored.item)) return NO_WRITE
      return this.#write([{ key: newEntry.key, before: oldEntry.stored, after: newEntry.stored }])
    }
    const steps: EntryWrite[] = []
    if (oldEntry !== undefined) steps.push({ key: oldEntry.key, before: oldEntry.stored, after: undefined })
    if (newEntry !== undefined) steps.push({ key: newEntry.key, before: undefined, after: newEntry.stored })
    return this.#write(steps)
  }

  /**
   * The change that adds an item's entry during a backfill. `undefined` when the entry exists, or when the index
   * rejects the item: a table may hold items that could not be written after the index was added.
   */
  missingEntry(_key: EncodedKey, stored: StoredItem): Change | undefined {
    const entry = this.#takes(stored.item) ? this.#entryOf(stored) : undefined
    if (entry === undefined || this.items.latest(entry.key) !== undefined) return undefined
    return { keyspace: this.keyspace, key: entry.key, before: undefined, after: entry.stored }
  }

  /** The size of the item's entry in bytes, or 0 when it has none. */
  entryBytes(stored: StoredItem): number {
    return this.#entryOf(stored)?.stored.bytes ?? 0
  }

  /** Makes all changes visible that are due by now. */
  catchUp(now: number): void {
    this.#queue?.drain(now)
  }

  /** Applies a changed definition of a global index, and the capacity it defines. */
  change(base: TableDefinition, definition: IndexDefinition, now: number): void {
    if (this.isLocal) return
    const history = this.#state.throughputHistory ?? {}
    const throughputHistory = historyAfter(history, this.#definition.throughput, definition.throughput, now)
    this.#state = { ...this.#state, throughputHistory }
    this.#definition = definition
    this.capacity.change(capacitySettings(base, definition), now)
  }

  /** Every item of the table that belongs in the index is now there. */
  complete(now: number): void {
    this.#state = { ...this.#state, complete: true }
    this.meter?.builds.complete(now)
  }

  beginDeletion(until: number): void {
    this.#state = { ...this.#state, transition: { status: 'DELETING', until } }
  }

  #write(steps: readonly EntryWrite[]): IndexWrite {
    const queue = this.#queue
    const writes = steps.map((step): IndexEntryWrite => {
      return { ...step, units: writeUnits(Math.max(step.before?.bytes ?? 0, step.after?.bytes ?? 0)) }
    })
    const { capacity } = this
    return {
      demands:
        queue === undefined
          ? []
          : writes.map(({ key, units }) => ({ capacity, kind: 'write', key, units, waitingRoom: queue })),
      changes: steps.map((step): Change => ({ keyspace: this.keyspace, ...step })),
      units: writes.reduce((sum, { units }) => sum + units, 0),
      queued: queue === undefined ? [] : writes.map((write) => ({ queue, write })),
    }
  }

  /**
   * The existing entry of an item. An index lacks some while it is being filled, if it was added later, and those of restored
   * items that it rejects.
   */
  #presentEntryOf(stored: StoredItem | undefined): Entry | undefined {
    const entry = stored === undefined ? undefined : this.#entryOf(stored)
    if (stored === undefined || entry === undefined) return undefined
    const { complete, addedLater } = this.state
    if (complete && !addedLater && this.#takes(stored.item)) return entry
    return this.items.latest(entry.key) === undefined ? undefined : entry
  }

  /** An item without all of the index's key attributes has no entry, because the index is sparse. */
  #entryOf(stored: StoredItem): Entry | undefined {
    const key = this.encodeEntryKey(stored.item)
    return key === undefined ? undefined : { key, stored: this.#project(stored) }
  }

  /** Whether the values of the key attributes are within the size limits of keys. */
  #takes(item: Item): boolean {
    const { hash, range } = this.definition.schema
    return hasSizes(hash, item, MAX_PARTITION_KEY_BYTES) && hasSizes(range, item, MAX_SORT_KEY_BYTES)
  }

  #project(stored: StoredItem): StoredItem {
    if (this.#projected === undefined) return stored
    const item = pickAttributes(stored.item, this.#projected)
    return new PrintedItem(item, itemBytes(item))
  }
}

/** The capacity settings of an index: its own throughput, and its table's mode. */
export function capacitySettings(base: TableDefinition, index: IndexDefinition): CapacitySettings {
  const { throughput, onDemandMaximum, warmThroughput } = index
  return {
    billingMode: base.billingMode,
    throughput,
    ...(onDemandMaximum === undefined ? {} : { onDemandMaximum }),
    ...(warmThroughput === undefined ? {} : { warmThroughput }),
  }
}

function hasSizes(attributes: readonly KeyAttribute[], item: Item, max: number): boolean {
  return attributes.every(({ name }) => {
    const value = attributeOf(item, name)
    const bytes = value === undefined ? 0 : valueBytes(value)
    return bytes > 0 && bytes <= max
  })
}

function projectedNames(definition: IndexDefinition, base: KeySchema): ReadonlySet<string> | undefined {
  if (definition.projection.type === 'ALL') return undefined
  const included = definition.projection.type === 'INCLUDE' ? definition.projection.attributes : []
  return new Set([...namesOf(base), ...namesOf(definition.schema), ...included])
}

function namesOf({ hash, range }: KeySchema): readonly string[] {
  return [...hash, ...range].map(({ name }) => name)
}
