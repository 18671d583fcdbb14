import type { Item } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'

/** An item with its size in bytes. Every request needs the size, so it is computed once. Never mutated. */
export interface StoredItem {
  readonly item: Item
  readonly bytes: number
  /** The item in JSON, as responses contain it, if that is known. */
  readonly text?: string
}

/**
 * One ordered keyspace: the items of a table or of an index, by encoded key.
 *
 * It has two views, which are the same in memory. Readers see durable items only, so that a response never contains
 * data that could still be lost. Writers see the latest write, so that each can build on the one before without waiting
 * for the disk. A write is acknowledged once it is durable.
 */
export interface OrderedMap {
  /** The number of items, including those that are not durable yet. */
  readonly size: number
  /** The total size of all items in bytes, including those that are not durable yet. */
  readonly bytes: number
  /** The durable item at this key, for readers. */
  get(key: EncodedKey): StoredItem | undefined
  /** The latest item at this key, durable or not, for writers. */
  latest(key: EncodedKey): StoredItem | undefined
  /** All durable items in the range, in ascending or descending key order. Do not write while iterating. */
  range(range: KeyRange, reverse?: boolean): Iterable<readonly [EncodedKey, StoredItem]>
}

/**
 * One change of one keyspace. `before` is what `latest` returns now, and `after` is the new item. An `after` of
 * `undefined` removes the key.
 */
export interface Change {
  readonly keyspace: string
  readonly key: EncodedKey
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
}
