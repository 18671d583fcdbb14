import type { KeyspaceView } from './keyspace-view.js'
import type { Change, OrderedMap } from './ordered-map.js'
import type { RecordChange, RecordValue } from './record.js'
import type { Snapshot } from './snapshot.js'

/** A result that is available at once in memory, and later on disk. */
export type Awaitable<T> = T | Promise<T>

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
   * The keyspace at this moment. It holds all writes that are acknowledged, and of those in flight each one completely or
   * not at all. It costs the same for any size. The caller must close it, because a store on disk grows while one is open.
   */
  view(keyspace: string): KeyspaceView
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
