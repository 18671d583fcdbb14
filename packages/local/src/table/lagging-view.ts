import type { EncodedKey } from '../keyspace/encoded-key.js'
import { isInRange, type KeyRange } from '../keyspace/key-range.js'
import type { OrderedMap, StoredItem } from '../storage/ordered-map.js'

type Entry = readonly [EncodedKey, StoredItem]

/** Changes that are in the store but not visible to readers yet. */
export interface HiddenChanges {
  readonly isEmpty: boolean
  /** Whether readers see a different value at this key than the store holds. */
  hides(key: EncodedKey): boolean
  /** The values that readers see at such keys, where they see one. */
  shown(): Iterable<readonly [EncodedKey, StoredItem]>
}

/** A keyspace as lagging readers see it: the store's content without the changes hidden from them. */
export class LaggingView {
  readonly #items: OrderedMap
  readonly #changes: HiddenChanges

  constructor(items: OrderedMap, changes: HiddenChanges) {
    this.#items = items
    this.#changes = changes
  }

  range(range: KeyRange, reverse = false): Iterable<Entry> {
    const stored = this.#items.range(range, reverse)
    return this.#changes.isEmpty ? stored : this.#withoutHidden(stored, range, reverse)
  }

  *#withoutHidden(stored: Iterable<Entry>, range: KeyRange, reverse: boolean): Iterable<Entry> {
    const shown: Entry[] = []
    for (const [key, visible] of this.#changes.shown()) {
      if (isInRange(range, key)) shown.push([key, visible])
    }
    shown.sort(([a], [b]) => (a < b === reverse ? 1 : -1))
    let next = 0
    for (const entry of stored) {
      const [key] = entry
      if (this.#changes.hides(key)) continue
      for (let other = shown[next]; other !== undefined && other[0] < key !== reverse; other = shown[next]) {
        yield other
        next++
      }
      yield entry
    }
    yield* shown.slice(next)
  }
}
