import type { ReadConsistency } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { StoredItem } from '../storage/ordered-map.js'

/** The range to read from a table or index, its direction, and the maximum number of items. */
export interface PageRequest {
  readonly index?: string | undefined
  /** The range to read. After an exclusive start key, the rest of it. */
  readonly range: KeyRange
  readonly reverse?: boolean
  readonly limit?: number | undefined
  /** Bytes that were read from other ranges, which count for the size of the page. Default: 0. */
  readonly readBytes?: number
  readonly consistency: ReadConsistency
  /** Whether a local index should return whole items, which are then fetched from the table one by one. */
  readonly wholeItems?: boolean
  /** A scan pays a minimum for every partition it visits. A query pays for the data it reads. */
  readonly access: 'query' | 'scan'
}

/** The items of a page, before any filter. */
export interface Page {
  readonly items: readonly StoredItem[]
  /** Bytes that were read: of items, of entries of an index, and of other ranges before. */
  readonly readBytes: number
  /** Present when the page ended early: the last item read, after which the next page begins. */
  readonly last?: { readonly key: EncodedKey; readonly stored: StoredItem } | undefined
  /** Units consumed on the table or index that was read. */
  readonly units: number
  /** Units consumed on the table for whole items behind the entries of a local index. */
  readonly fetchedUnits: number
}
