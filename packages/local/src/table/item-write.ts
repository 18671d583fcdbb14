import type { Demand } from '../capacity/admission.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { Change, StoredItem } from '../storage/ordered-map.js'
import type { RecordChange } from '../storage/record.js'
import type { QueuedEntry } from './secondary-index.js'

/** A write of one item: the item before and after it. */
export interface ItemWrite {
  readonly key: EncodedKey
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
  /** Whether the service makes the write itself, because the item has expired. */
  readonly byService?: boolean
}

/** Units that a write consumed, by table and index. */
export interface WriteUnits {
  readonly table: number
  /** By the names of global indexes. Indexes without a write are missing. */
  readonly indexes: ReadonlyMap<string, number>
  /** By the names of local indexes. */
  readonly localIndexes: ReadonlyMap<string, number>
}

/** By how many bytes a write makes an item collection grow. */
export interface CollectionGrowth {
  /** The collection, as the prefix of its keys. */
  readonly collection: string
  /** Negative when the collection shrinks. */
  readonly bytes: number
}

/** A write with all costs and changes computed. Nothing has been taken or changed yet. */
export interface PreparedWrite {
  readonly write: ItemWrite
  readonly demands: readonly Demand[]
  readonly changes: readonly Change[]
  readonly units: WriteUnits
  /** Changes of global indexes, which become visible to their readers later. */
  readonly queued: readonly QueuedEntry[]
  /** In tables with local indexes, which limit their item collections. */
  readonly growth?: CollectionGrowth
}

/** The changes that the store applies for writes, all or nothing. */
export interface StoreWrite {
  readonly changes: readonly Change[]
  readonly records: readonly RecordChange[]
}

const NO_INDEXES: ReadonlyMap<string, number> = new Map()

/** Units of a table only, without indexes. */
export function tableUnits(units: number): WriteUnits {
  return { table: units, indexes: NO_INDEXES, localIndexes: NO_INDEXES }
}
