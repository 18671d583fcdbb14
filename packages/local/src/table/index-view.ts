import type { EncodedKey } from '../keyspace/encoded-key.js'
import { isInRange, type KeyRange } from '../keyspace/key-range.js'
import type { OrderedMap, StoredItem } from '../storage/storage.js'
import type { IndexQueue } from './index-queue.js'

type Entry = readonly [EncodedKey, StoredItem]

/** An index as its readers see it: what the store holds, without what is still on its way to them. */
export class IndexView {
  readonly #items: OrderedMap
  readonly #queue: IndexQueue

  constructor(items: OrderedMap, queue: IndexQueue) {
    this.#items = items
    this.#queue = queue
  }

  range(range: KeyRange, reverse = false): Iterable<Entry> {
    const stored = this.#items.range(range, reverse)
    return this.#queue.isEmpty ? stored : this.#withoutHidden(stored, range, reverse)
  }

  *#withoutHidden(stored: Iterable<Entry>, range: KeyRange, reverse: boolean): Iterable<Entry> {
    const shown: Entry[] = []
    for (const [key, visible] of this.#queue.hidden()) {
      if (visible !== undefined && isInRange(range, key)) shown.push([key, visible])
    }
    shown.sort(([a], [b]) => (a < b === reverse ? 1 : -1))
    let next = 0
    for (const entry of stored) {
      const [key] = entry
      if (this.#queue.hides(key)) continue
      for (let other = shown[next]; other !== undefined && other[0] < key !== reverse; other = shown[next]) {
        yield other
        next++
      }
      yield entry
    }
    yield* shown.slice(next)
  }
}
