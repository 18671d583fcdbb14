import type { Item } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'

/** An item with its size in bytes, which every request needs and nothing should compute twice. Never mutated. */
export interface StoredItem {
  readonly item: Item
  readonly bytes: number
}

/** A result that is there at once in memory, and later when a disk is involved. */
export type Awaitable<T> = T | Promise<T>

/** One ordered keyspace: the items of a table or of an index, by encoded key. */
export interface OrderedMap {
  readonly size: number
  get(key: EncodedKey): StoredItem | undefined
  /** Everything in the range, in key order or against it. Writing while iterating is not allowed. */
  range(range: KeyRange, reverse?: boolean): Iterable<readonly [EncodedKey, StoredItem]>
}

/** One change of one keyspace; without an item, the key is removed. */
export interface Change {
  readonly keyspace: string
  readonly key: EncodedKey
  readonly item: StoredItem | undefined
}

/**
 * Where keyspaces live. A store in memory answers at once; a durable one returns a promise from `write` that means
 * "this survives a power cut". Either way a write is seen by reads as soon as `write` returns.
 */
export interface Storage {
  /** The keyspace of that name, made empty if there is none. */
  open(keyspace: string): OrderedMap
  /** Applies all changes or none. */
  write(changes: readonly Change[]): Awaitable<void>
  /** Removes a keyspace with everything in it. */
  drop(keyspace: string): Awaitable<void>
  close(): Awaitable<void>
}
