import BTreeModule from 'sorted-btree'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { Change, OrderedMap, Storage, StoredItem } from './storage.js'

// The package is CommonJS: under Node's ESM loader its class is the member `default` of the default import.
const BTree = BTreeModule.default

/** Keyspaces as B-trees in memory: nothing is kept beyond the process. */
export class MemoryStorage implements Storage {
  readonly #keyspaces = new Map<string, MemoryMap>()

  open(keyspace: string): OrderedMap {
    return this.#map(keyspace)
  }

  write(changes: readonly Change[]): void {
    for (const { keyspace, key, item } of changes) this.#map(keyspace).apply(key, item)
  }

  drop(keyspace: string): void {
    this.#keyspaces.delete(keyspace)
  }

  close(): void {
    this.#keyspaces.clear()
  }

  #map(keyspace: string): MemoryMap {
    const present = this.#keyspaces.get(keyspace)
    if (present !== undefined) return present
    const created = new MemoryMap()
    this.#keyspaces.set(keyspace, created)
    return created
  }
}

class MemoryMap implements OrderedMap {
  readonly #tree = new BTree<EncodedKey, StoredItem>(undefined, compareKeys)

  get size(): number {
    return this.#tree.size
  }

  get(key: EncodedKey): StoredItem | undefined {
    return this.#tree.get(key)
  }

  apply(key: EncodedKey, item: StoredItem | undefined): void {
    if (item === undefined) this.#tree.delete(key)
    else this.#tree.set(key, item)
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
