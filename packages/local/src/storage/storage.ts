import type { Item } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { Snapshot } from './snapshot.js'

/** An item with its size in bytes, which every request needs and nothing should compute twice. Never mutated. */
export interface StoredItem {
  readonly item: Item
  readonly bytes: number
}

/** A result that is there at once in memory, and later when a disk is involved. */
export type Awaitable<T> = T | Promise<T>

/** What a record may hold: anything that JSON can. */
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
 * It has two views, which are one in memory. Readers see what is durable, so that nothing they were told can be lost.
 * Writers see what was written last, so that each builds on the one before without waiting for the disk; their own
 * answers wait for it.
 */
export interface OrderedMap {
  /** How many items there are, those just written included. */
  readonly size: number
  /** The sizes of all items together, in bytes, those just written included. */
  readonly bytes: number
  /** What a reader sees at this key. */
  get(key: EncodedKey): StoredItem | undefined
  /** What a writer meets at this key: also what is on its way to the disk. */
  latest(key: EncodedKey): StoredItem | undefined
  /** Everything in the range that a reader sees, in key order or against it. Writing while iterating is not allowed. */
  range(range: KeyRange, reverse?: boolean): Iterable<readonly [EncodedKey, StoredItem]>
}

/** One change of one keyspace: from what `latest` gives there now, to what shall be there; nothing removes the key. */
export interface Change {
  readonly keyspace: string
  readonly key: EncodedKey
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
}

/** One change of a record: what the store knows besides items, such as the definition of a table. */
export interface RecordChange {
  readonly name: string
  /** Nothing removes the record. */
  readonly value: RecordValue | undefined
}

/**
 * Where keyspaces live. A store in memory answers at once; a durable one returns a promise that means "this survives a
 * power cut".
 */
export interface Storage {
  /**
   * How many commits have failed. A failed one takes with it what was written since, so when this has grown, whatever was
   * built on what was written must start again from what the store holds.
   */
  readonly failures: number
  /** The keyspace of that name, made empty if there is none. */
  open(keyspace: string): OrderedMap
  /** Applies all changes, of items and of records, or none. Seen by `latest` at once, by readers when it is durable. */
  write(changes: readonly Change[], records?: readonly RecordChange[]): Awaitable<void>
  /** Removes keyspaces with everything in them, and changes records, all or nothing. */
  drop(keyspaces: readonly string[], records?: readonly RecordChange[]): Awaitable<void>
  /** All records that are durable. */
  records(): Iterable<readonly [name: string, value: RecordValue]>
  /** A promise when something was written that is not durable yet; it resolves once it is. */
  settled(): Promise<void> | undefined
  /**
   * Everything it holds at this moment.
   * @param records changed in the snapshot only, which are known to follow from what was written.
   * @throws LocalError `snapshot.durable` when it holds it on disk.
   */
  snapshot(records?: readonly RecordChange[]): Snapshot
  /**
   * A store with what the snapshot holds, to go on with. It is another one, so that whoever still writes to this one
   * cannot reach it.
   * @throws LocalError `snapshot.durable`, `snapshot.foreign`
   */
  restored(snapshot: Snapshot): Storage
  /** Another store, which holds nothing, to go on with; or a promise that this one does. */
  emptied(): Storage | Promise<void>
  close(): Awaitable<void>
}
