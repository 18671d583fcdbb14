import {
  attributeOf,
  defineAttribute,
  equalItems,
  type Item,
  itemBytes,
  MAX_PARTITION_KEY_BYTES,
  MAX_SORT_KEY_BYTES,
  valueBytes,
  writeUnits,
} from '@isotherm/semantics'
import type { Demand } from '../capacity/admission.js'
import type { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import { type EncodedKey, encodeKey } from '../keyspace/encoded-key.js'
import type { KeyspaceMeter } from '../metrics/keyspace-meter.js'
import type { Change, OrderedMap, StoredItem } from '../storage/storage.js'
import type { IndexEntryWrite, IndexQueue } from './index-queue.js'
import { keyValues } from './key-values.js'
import { LaggingView } from './lagging-view.js'
import type { IndexState } from './life-cycle.js'
import type { IndexDefinition, KeyAttribute, KeySchema } from './table-definition.js'

/** An entry of an index: where it lies and what it holds. */
interface Entry {
  readonly key: EncodedKey
  readonly stored: StoredItem
}

/** An entry that is added, changed or removed. */
type EntryWrite = Omit<Change, 'keyspace'>

/** What one write of the base item does to an index. */
export interface IndexWrite {
  /** Of a global index. What a local one needs is for its table to ask for. */
  readonly demands: readonly Demand[]
  readonly changes: readonly Change[]
  readonly units: number
  /** What is to reach readers of a global index in its own time, once the base write is admitted. */
  readonly queued: readonly QueuedEntry[]
}

/** A change of an index, and the queue through which it goes. */
export interface QueuedEntry {
  readonly queue: IndexQueue
  readonly write: IndexEntryWrite
}

const NO_WRITE: IndexWrite = { demands: [], changes: [], units: 0, queued: [] }

/** Where an index lies and what it stands on. */
export interface IndexPlace {
  readonly arn: string
  readonly keyspace: string
  readonly items: OrderedMap
  /** Its own if it is global, the table's if it is local. */
  readonly capacity: KeyspaceCapacity
  /** Through which changes reach readers; a local index is written as its table is. */
  readonly queue: IndexQueue | undefined
  /** Of a global index, when figures are kept. */
  readonly meter: KeyspaceMeter | undefined
}

/**
 * A secondary index: a keyspace of its own that follows the base table. A global one has partitions of its own; the
 * entries of a local one lie beside the item, in the table's partitions, and what they cost is the table's.
 */
export class SecondaryIndex {
  definition: IndexDefinition
  state: IndexState
  readonly arn: string
  readonly keyspace: string
  readonly items: OrderedMap
  readonly capacity: KeyspaceCapacity
  readonly meter: KeyspaceMeter | undefined
  /** What readers see: a global index may be behind. */
  readonly view: Pick<OrderedMap, 'range'>
  readonly #queue: IndexQueue | undefined
  readonly #baseSchema: KeySchema
  readonly #projected: ReadonlySet<string> | undefined

  constructor(definition: IndexDefinition, state: IndexState, place: IndexPlace, baseSchema: KeySchema) {
    this.definition = definition
    this.state = state
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

  get isLocal(): boolean {
    return this.definition.kind === 'local'
  }

  /** The names of an entry's key attributes: the index's and the base table's. */
  get keyNames(): readonly string[] {
    return [...new Set([...namesOf(this.definition.schema), ...namesOf(this.#baseSchema)])]
  }

  /** Whether entries hold the attribute. */
  projects(attribute: string): boolean {
    return this.#projected?.has(attribute) ?? true
  }

  /** Where an entry with these key attributes lies; nothing when one is missing. */
  encodeEntryKey(item: Item): EncodedKey | undefined {
    const { hash, range } = this.definition.schema
    const partition = keyValues(hash, item)
    const sort = keyValues(range, item)
    const base = keyValues([...this.#baseSchema.hash, ...this.#baseSchema.range], item)
    if (partition === undefined || sort === undefined || base === undefined) return undefined
    return encodeKey(partition, sort, base)
  }

  /**
   * What a write costs here: nothing when neither item is in the index or nothing projected changed, one write to add,
   * remove or change an entry, and two when its key changes.
   * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html
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
   * The change that gives an item its entry when the index is filled. Nothing when it has one, and when the index does
   * not take it: a table may hold items that could not be written once the index is there.
   */
  missingEntry(_key: EncodedKey, stored: StoredItem): Change | undefined {
    const entry = this.#takes(stored.item) ? this.#entryOf(stored) : undefined
    if (entry === undefined || this.items.latest(entry.key) !== undefined) return undefined
    return { keyspace: this.keyspace, key: entry.key, before: undefined, after: entry.stored }
  }

  /** How large the item's entry is, in bytes; 0 when it has none. */
  entryBytes(stored: StoredItem): number {
    return this.#entryOf(stored)?.stored.bytes ?? 0
  }

  /** Lets readers see what they should see by now. */
  catchUp(now: number): void {
    this.#queue?.drain(now)
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

  /** The entry that is there. An index that came after its table may lack some. */
  #presentEntryOf(stored: StoredItem | undefined): Entry | undefined {
    const entry = stored === undefined ? undefined : this.#entryOf(stored)
    if (entry === undefined || !this.state.addedLater) return entry
    return this.items.latest(entry.key) === undefined ? undefined : entry
  }

  /** An item without all of the index's key attributes has no entry: the index is sparse. */
  #entryOf(stored: StoredItem): Entry | undefined {
    const key = this.encodeEntryKey(stored.item)
    return key === undefined ? undefined : { key, stored: this.#project(stored) }
  }

  /** Whether the values of the key attributes have sizes that keys may have. */
  #takes(item: Item): boolean {
    const { hash, range } = this.definition.schema
    return hasSizes(hash, item, MAX_PARTITION_KEY_BYTES) && hasSizes(range, item, MAX_SORT_KEY_BYTES)
  }

  #project(stored: StoredItem): StoredItem {
    if (this.#projected === undefined) return stored
    const item: Item = {}
    for (const name of this.#projected) {
      const value = attributeOf(stored.item, name)
      if (value !== undefined) defineAttribute(item, name, value)
    }
    return { item, bytes: itemBytes(item) }
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
