import { LocalError } from '../errors/local-error.js'
import type { HeapWatch } from './heap-watch.js'
import type { KeyspaceView } from './keyspace-view.js'
import { MapView } from './map-view.js'
import { MemoryMap } from './memory-map.js'
import type { Change, OrderedMap } from './ordered-map.js'
import type { RecordChange, RecordValue } from './record.js'
import { type MemoryContent, Snapshot } from './snapshot.js'
import type { Storage } from './storage.js'

/** Keyspaces as B-trees in memory. Nothing outlives the process. */
export class MemoryStorage implements Storage {
  readonly failures: number = 0
  readonly #keyspaces: Map<string, MemoryMap>
  readonly #records: Map<string, RecordValue>
  readonly #heap: HeapWatch | undefined

  /** @param heap reports when the memory of the process is nearly full. */
  constructor(
    { keyspaces, records }: MemoryContent = { keyspaces: new Map(), records: new Map() },
    heap?: HeapWatch,
  ) {
    this.#keyspaces = keyspaces
    this.#records = records
    this.#heap = heap
  }

  open(keyspace: string): OrderedMap {
    return this.#map(keyspace)
  }

  view(keyspace: string): KeyspaceView {
    return new MapView(this.#map(keyspace).copy())
  }

  write(changes: readonly Change[], records: readonly RecordChange[] = []): void {
    this.#heap?.look()
    for (const change of changes) this.#map(change.keyspace).apply(change)
    this.#change(records)
  }

  drop(keyspaces: readonly string[], records: readonly RecordChange[] = []): void {
    for (const keyspace of keyspaces) this.#keyspaces.delete(keyspace)
    this.#change(records)
  }

  records(): Iterable<readonly [string, RecordValue]> {
    return this.#records
  }

  settled(): undefined {}

  close(): void {
    this.#keyspaces.clear()
    this.#records.clear()
  }

  snapshot(records: readonly RecordChange[] = []): Snapshot {
    const storage = new MemoryStorage({ keyspaces: this.#keyspaces, records: new Map(this.#records) })
    storage.#change(records)
    return new Snapshot({ keyspaces: storage.#keyspaces, records: storage.#records })
  }

  restored(snapshot: Snapshot): MemoryStorage {
    if (!(snapshot instanceof Snapshot)) {
      throw new LocalError(
        'snapshot.foreign',
        'This is no snapshot; restore takes what snapshot() returned in this process.',
      )
    }
    return new MemoryStorage(snapshot.copy(), this.#heap)
  }

  emptied(): MemoryStorage {
    return new MemoryStorage(undefined, this.#heap)
  }

  #change(records: readonly RecordChange[]): void {
    for (const { name, value } of records) {
      if (value === undefined) this.#records.delete(name)
      else this.#records.set(name, value)
    }
  }

  #map(keyspace: string): MemoryMap {
    const present = this.#keyspaces.get(keyspace)
    if (present !== undefined) return present
    const created = new MemoryMap()
    this.#keyspaces.set(keyspace, created)
    return created
  }
}
