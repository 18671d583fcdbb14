import type { ReadConsistency } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { StoredItem } from '../storage/storage.js'

/** What to read: a range of a table or index, in a direction, up to a number of items. */
export interface PageRequest {
  readonly index?: string | undefined
  /** Where to begin and end; after a start key, only what is left. */
  readonly range: KeyRange
  readonly reverse?: boolean
  readonly limit?: number | undefined
  readonly consistency: ReadConsistency
  /** Whether a local index shall give whole items, which are then fetched from the table, one by one. */
  readonly wholeItems?: boolean
  /** A scan pays at least for every partition it visits; a query pays for what it reads. */
  readonly access: 'query' | 'scan'
}

/** What was read, before any filter. */
export interface Page {
  readonly items: readonly StoredItem[]
  /** There when the page ended early: the last item read, after which the next page begins. */
  readonly last?: { readonly key: EncodedKey; readonly stored: StoredItem } | undefined
  /** Of the table or index that was read. */
  readonly units: number
  /** Of the table, for whole items behind the entries of a local index. */
  readonly fetchedUnits: number
}
