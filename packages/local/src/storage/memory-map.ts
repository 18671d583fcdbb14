import BTreeModule from 'sorted-btree'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { Change, OrderedMap, StoredItem } from './ordered-map.js'

// The package is CommonJS. In Node, its class is the member `default` of the default import. Test runners transform
// this file, because it is linked and not installed, and then the default import is the class itself.
const imported: unknown = BTreeModule
const BTree = typeof imported === 'function' ? (imported as typeof BTreeModule.default) : BTreeModule.default

/** One keyspace as a B-tree in memory. */
export class MemoryMap implements OrderedMap {
  #tree = new BTree<EncodedKey, StoredItem>(undefined, compareKeys)
  bytes = 0

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

  /** The trees share their nodes until one of them is written to, so no items are copied. */
  copy(): MemoryMap {
    const copy = new MemoryMap()
    copy.#tree = this.#tree.clone()
    copy.bytes = this.bytes
    return copy
  }

  range({ from, to }: KeyRange, reverse = false): Iterable<readonly [EncodedKey, StoredItem]> {
    return reverse ? this.#backward(from, to) : this.#forward(from, to)
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
      // The range excludes `to`, but the tree's walk begins with it.
      if (entry[0] !== to) yield entry
    }
  }
}

/** Encoded keys hold one byte per character, so JavaScript's own string comparison compares the bytes. */
function compareKeys(a: EncodedKey, b: EncodedKey): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
