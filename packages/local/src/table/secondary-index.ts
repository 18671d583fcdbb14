import {
  attributeOf,
  defineAttribute,
  equalItems,
  type Item,
  itemBytes,
  writeUnits,
} from '@isotherm/semantics'
import type { Demand } from '../capacity/admission.js'
import type { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import { type EncodedKey, encodeKey } from '../keyspace/encoded-key.js'
import type { Change, OrderedMap, StoredItem } from '../storage/storage.js'
import { keyValues } from './key-values.js'
import type { IndexDefinition, KeySchema } from './table-definition.js'

/** An entry of an index: where it lies and what it holds. */
interface Entry {
  readonly key: EncodedKey
  readonly stored: StoredItem
}

/** An entry that is added, changed or removed. */
type EntryWrite = Omit<Change, 'keyspace'>

/** What one write of the base item does to an index. */
export interface IndexWrite {
  readonly demands: readonly Demand[]
  readonly changes: readonly Change[]
  readonly units: number
}

const NO_WRITE: IndexWrite = { demands: [], changes: [], units: 0 }

/** A global secondary index: a keyspace of its own, with partitions of its own, that follows the base table. */
export class SecondaryIndex {
  definition: IndexDefinition
  readonly arn: string
  readonly keyspace: string
  readonly items: OrderedMap
  readonly capacity: KeyspaceCapacity
  readonly #baseSchema: KeySchema
  readonly #projected: ReadonlySet<string> | undefined

  constructor(
    definition: IndexDefinition,
    place: { readonly arn: string; readonly keyspace: string; readonly items: OrderedMap },
    capacity: KeyspaceCapacity,
    baseSchema: KeySchema,
  ) {
    this.definition = definition
    this.arn = place.arn
    this.keyspace = place.keyspace
    this.items = place.items
    this.capacity = capacity
    this.#baseSchema = baseSchema
    this.#projected = projectedNames(definition, baseSchema)
  }

  /** The names of an entry's key attributes: the index's and the base table's. */
  get keyNames(): readonly string[] {
    return [...namesOf(this.definition.schema), ...namesOf(this.#baseSchema)]
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
    const oldEntry = before === undefined ? undefined : this.#entryOf(before)
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

  #write(steps: readonly EntryWrite[]): IndexWrite {
    const demands = steps.map(({ key, before, after }): Demand => {
      const units = writeUnits(Math.max(before?.bytes ?? 0, after?.bytes ?? 0))
      return { capacity: this.capacity, kind: 'write', key, units }
    })
    const changes = steps.map((step): Change => ({ keyspace: this.keyspace, ...step }))
    return { demands, changes, units: demands.reduce((sum, { units }) => sum + units, 0) }
  }

  /** An item without all of the index's key attributes has no entry: the index is sparse. */
  #entryOf(stored: StoredItem): Entry | undefined {
    const key = this.encodeEntryKey(stored.item)
    return key === undefined ? undefined : { key, stored: this.#project(stored) }
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

function projectedNames(definition: IndexDefinition, base: KeySchema): ReadonlySet<string> | undefined {
  if (definition.projection.type === 'ALL') return undefined
  const included = definition.projection.type === 'INCLUDE' ? definition.projection.attributes : []
  return new Set([...namesOf(base), ...namesOf(definition.schema), ...included])
}

function namesOf({ hash, range }: KeySchema): readonly string[] {
  return [...hash, ...range].map(({ name }) => name)
}
