import BTreeModule from 'sorted-btree'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import { RecentKeys } from '../keyspace/recent-keys.js'
import type { Change, OrderedMap, StoredItem } from './ordered-map.js'

// The package is CommonJS. In Node, its class is the member `default` of the default import. Test runners transform
// this file, because it is linked and not installed, and then the default import is the class itself.
const imported: unknown = BTreeModule
const BTree = typeof imported === 'function' ? (imported as typeof BTreeModule.default) : BTreeModule.default

/**
 * The place of an item in the tree. Another item takes the same place without a walk through the tree, unless a copy shares
 * the place.
 */
interface Place {
  stored: StoredItem
  /** The mark of the map that may write to this place. */
  readonly owner: object
}

/** One keyspace as a B-tree in memory. */
export class MemoryMap implements OrderedMap {
  #tree = new BTree<EncodedKey, Place>(undefined, compareKeys)
  /**
   * A walk through a tree of 100,000 items compares 17 keys, which takes 1.5 microseconds. A request takes one walk to read
   * an item and another one to write it. These are found in 0.1.
   */
  readonly #recent = new RecentKeys<Place>()
  /** Replaced when the tree is shared with a copy. Then places of before belong to neither of both. */
  #owner = {}
  bytes = 0

  get size(): number {
    return this.#tree.size
  }

  get(key: EncodedKey): StoredItem | undefined {
    return this.#find(key)?.stored
  }

  latest(key: EncodedKey): StoredItem | undefined {
    return this.#find(key)?.stored
  }

  apply({ key, before, after }: Change): void {
    this.bytes += (after?.bytes ?? 0) - (before?.bytes ?? 0)
    if (after === undefined) {
      this.#tree.delete(key)
      this.#recent.delete(key)
      return
    }
    const place = before === undefined ? undefined : this.#find(key)
    if (place?.owner === this.#owner) {
      place.stored = after
      return
    }
    const created: Place = { stored: after, owner: this.#owner }
    this.#tree.set(key, created)
    this.#recent.set(key, created)
  }

  /** The trees share their nodes until one of them is written to, so no items are copied. */
  copy(): MemoryMap {
    const copy = new MemoryMap()
    copy.#tree = this.#tree.clone()
    copy.bytes = this.bytes
    this.#owner = {}
    return copy
  }

  range({ from, to }: KeyRange, reverse = false): Iterable<readonly [EncodedKey, StoredItem]> {
    return reverse ? this.#backward(from, to) : this.#forward(from, to)
  }

  *#forward(from: EncodedKey, to: EncodedKey | undefined): Iterable<readonly [EncodedKey, StoredItem]> {
    for (const [key, { stored }] of this.#tree.entries(from, [])) {
      if (to !== undefined && key >= to) return
      yield [key, stored]
    }
  }

  *#backward(from: EncodedKey, to: EncodedKey | undefined): Iterable<readonly [EncodedKey, StoredItem]> {
    for (const [key, { stored }] of this.#tree.entriesReversed(to, [])) {
      if (key < from) return
      // The range excludes `to`, but the tree's walk begins with it.
      if (key !== to) yield [key, stored]
    }
  }

  #find(key: EncodedKey): Place | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const place = this.#tree.get(key)
    if (place !== undefined) this.#recent.set(key, place)
    return place
  }
}

/** Encoded keys hold one byte per character, so JavaScript's own string comparison compares the bytes. */
function compareKeys(a: EncodedKey, b: EncodedKey): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
