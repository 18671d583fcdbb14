import type { Item } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { Snapshot } from './snapshot.js'

/** An item with its size in bytes. Every request needs the size, so it is computed once. Never mutated. */
export interface StoredItem {
  readonly item: Item
  readonly bytes: number
}

/** A result that is available at once in memory, and later on disk. */
export type Awaitable<T> = T | Promise<T>

/** The value of a record: any JSON value. */
export type RecordValue =
  | string
  | number
  | boolean
  | null
  | readonly RecordValue[]
  | { readonly [member: string]: RecordValue | undefined }

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

/** One change of a record. Records hold the store's other data, such as table definitions. */
export interface RecordChange {
  readonly name: string
  /** `undefined` removes the record. */
  readonly value: RecordValue | undefined
}

/**
 * The store that holds keyspaces. A store in memory returns at once. A durable one returns a promise that resolves when
 * the write would survive a power cut.
 */
export interface Storage {
  /**
   * How many commits have failed. A failed commit also discards all later writes. When this number has grown, every
   * state derived from those writes must be rebuilt from the store.
   */
  readonly failures: number
  /** The keyspace of that name, created empty if it does not exist. */
  open(keyspace: string): OrderedMap
  /**
   * Applies all changes of items and records, or none. `latest` shows them at once, and readers see them when durable.
   */
  write(changes: readonly Change[], records?: readonly RecordChange[]): Awaitable<void>
  /** Removes keyspaces with all their items, and changes records: all or nothing. */
  drop(keyspaces: readonly string[], records?: readonly RecordChange[]): Awaitable<void>
  /** All records that are durable. */
  records(): Iterable<readonly [name: string, value: RecordValue]>
  /** A promise that resolves when all writes are durable, or `undefined` when they already are. */
  settled(): Promise<void> | undefined
  /**
   * Takes a snapshot of everything the store holds.
   * @param records changes that apply to the snapshot only and are known to follow from earlier writes.
   * @throws LocalError `snapshot.durable` when the store is on disk.
   */
  snapshot(records?: readonly RecordChange[]): Snapshot
  /**
   * Returns a new store with the content of the snapshot. It is separate from this one, so that a process still writing
   * to this store cannot reach it.
   * @throws LocalError `snapshot.durable`, `snapshot.foreign`
   */
  restored(snapshot: Snapshot): Storage
  /** Returns a new, empty store, or a promise that this store is empty. */
  emptied(): Storage | Promise<void>
  close(): Awaitable<void>
}
