import type { Clock } from '@isotherm/runtime'
import type { KeyspaceView } from '../storage/keyspace-view.js'
import type { Change, OrderedMap } from '../storage/ordered-map.js'
import type { RecordChange, RecordValue } from '../storage/record.js'
import type { Snapshot } from '../storage/snapshot.js'
import type { Awaitable, Storage } from '../storage/storage.js'
import type { PartitionMap } from './partition-map.js'
import { PartitionSizes } from './partition-sizes.js'

/** A keyspace of the store, and the sizes of the partitions that hold its entries. */
interface Measured {
  readonly sizes: PartitionSizes
  /** The keyspace's index among the maps of those partitions. */
  readonly map: number
}

/**
 * A store that tracks how many bytes lie in each partition. Requests, transactions, expiry and index backfills all
 * write through a store, so tracking here misses nothing.
 */
export class MeasuredStorage implements Storage {
  readonly #storage: Storage
  readonly #clock: Clock
  readonly #measured = new Map<string, Measured>()
  #failuresSeen: number

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage
    this.#clock = clock
    this.#failuresSeen = storage.failures
  }

  get failures(): number {
    return this.#storage.failures
  }

  /** @param keyspaces the keyspace of the items, and those of local indexes, which share its partitions. */
  measure(keyspaces: readonly string[], partitions: PartitionMap, limit: number): void {
    const maps = keyspaces.map((keyspace) => this.#storage.open(keyspace))
    const sizes = new PartitionSizes(partitions, maps, limit)
    for (const [map, keyspace] of keyspaces.entries()) this.#measured.set(keyspace, { sizes, map })
  }

  open(keyspace: string): OrderedMap {
    return this.#storage.open(keyspace)
  }

  view(keyspace: string): KeyspaceView {
    return this.#storage.view(keyspace)
  }

  write(changes: readonly Change[], records?: readonly RecordChange[]): Awaitable<void> {
    const written = this.#storage.write(changes, records)
    if (this.#storage.failures !== this.#failuresSeen) this.#forget()
    const now = this.#clock.now()
    for (const { keyspace, key, before, after } of changes) {
      const growth = (after?.bytes ?? 0) - (before?.bytes ?? 0)
      const measured = growth === 0 ? undefined : this.#measured.get(keyspace)
      measured?.sizes.written(measured.map, key, growth, now)
    }
    return written
  }

  drop(keyspaces: readonly string[], records?: readonly RecordChange[]): Awaitable<void> {
    const measured = keyspaces.map((keyspace) => [keyspace, this.#measured.get(keyspace)] as const)
    const dropped = this.#storage.drop(keyspaces, records)
    // A keyspace of the same name may have been created meanwhile.
    const done = () => {
      for (const [keyspace, old] of measured) {
        if (this.#measured.get(keyspace) === old) this.#measured.delete(keyspace)
      }
    }
    if (dropped === undefined) done()
    return dropped?.then(done)
  }

  records(): Iterable<readonly [name: string, value: RecordValue]> {
    return this.#storage.records()
  }

  settled(): Promise<void> | undefined {
    return this.#storage.settled()
  }

  snapshot(records?: readonly RecordChange[]): Snapshot {
    return this.#storage.snapshot(records)
  }

  restored(snapshot: Snapshot): Storage {
    return this.#storage.restored(snapshot)
  }

  emptied(): Storage | Promise<void> {
    return this.#storage.emptied()
  }

  close(): Awaitable<void> {
    return this.#storage.close()
  }

  /** A failed commit has undone writes that were counted. */
  #forget(): void {
    this.#failuresSeen = this.#storage.failures
    for (const { sizes } of this.#measured.values()) sizes.forget()
  }
}
