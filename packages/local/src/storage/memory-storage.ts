import BTreeModule from 'sorted-btree'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { Change, OrderedMap, RecordChange, RecordValue, Storage, StoredItem } from './storage.js'

// The package is CommonJS: under Node's ESM loader its class is the member `default` of the default import.
const BTree = BTreeModule.default

/** Everything a store in memory holds, at one moment. Taking one and going back to it cost the same however much it is. */
export interface MemorySnapshot {
  readonly keyspaces: ReadonlyMap<string, MemoryMap>
  readonly records: ReadonlyMap<string, RecordValue>
}

/** Keyspaces as B-trees in memory: nothing is kept beyond the process. */
export class MemoryStorage implements Storage {
  readonly failures = 0
  #keyspaces = new Map<string, MemoryMap>()
  #records = new Map<string, RecordValue>()

  open(keyspace: string): OrderedMap {
    return this.#map(keyspace)
  }

  write(changes: readonly Change[], records: readonly RecordChange[] = []): void {
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

  /** The trees share their nodes until one side writes, so this copies no items. */
  snapshot(): MemorySnapshot {
    return { keyspaces: copyOf(this.#keyspaces), records: new Map(this.#records) }
  }

  /** Goes back to a snapshot, which stays good for further use. Keyspaces opened before are no longer the store's. */
  restore({ keyspaces, records }: MemorySnapshot): void {
    this.#keyspaces = copyOf(keyspaces)
    this.#records = new Map(records)
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

function copyOf(keyspaces: ReadonlyMap<string, MemoryMap>): Map<string, MemoryMap> {
  return new Map([...keyspaces].map(([name, map]) => [name, map.copy()]))
}

class MemoryMap implements OrderedMap {
  readonly #tree: InstanceType<typeof BTree<EncodedKey, StoredItem>>
  bytes: number

  constructor(tree = new BTree<EncodedKey, StoredItem>(undefined, compareKeys), bytes = 0) {
    this.#tree = tree
    this.bytes = bytes
  }

  get size(): number {
    return this.#tree.size
  }

  get(key: EncodedKey): StoredItem | undefined {
    return this.#tree.get(key)
  }

  latest(key: EncodedKey): StoredItem | undefined {
    return this.#tree.get(key)
  }

  apply({ key, before, after }: Change): void {
    if (after === undefined) this.#tree.delete(key)
    else this.#tree.set(key, after)
    this.bytes += (after?.bytes ?? 0) - (before?.bytes ?? 0)
  }

  copy(): MemoryMap {
    return new MemoryMap(this.#tree.clone(), this.bytes)
  }

  *range({ from, to }: KeyRange, reverse = false): Iterable<readonly [EncodedKey, StoredItem]> {
    if (reverse) yield* this.#backward(from, to)
    else yield* this.#forward(from, to)
  }

  *#forward(from: EncodedKey, to: EncodedKey | undefined): Iterable<readonly [EncodedKey, StoredItem]> {
    for (const entry of this.#tree.entries(from)) {
      if (to !== undefined && entry[0] >= to) return
      yield entry
    }
  }

  *#backward(from: EncodedKey, to: EncodedKey | undefined): Iterable<readonly [EncodedKey, StoredItem]> {
    for (const entry of this.#tree.entriesReversed(to)) {
      if (entry[0] < from) return
      // The range ends before `to`, the tree's walk begins with it.
      if (entry[0] !== to) yield entry
    }
  }
}

/** Encoded keys hold one byte a character, so the engine's own comparison of texts is the order of the bytes. */
function compareKeys(a: EncodedKey, b: EncodedKey): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
