/** Few enough that a `Map` grows in less than a millisecond, and more than the keys that most tests and demos use. */
const ENTRIES_PER_GENERATION = 16_384

/**
 * The entries of a map that were used last, in two generations: when the newer one is full, it becomes the older one, and
 * the previous older one is dropped. `lru-cache` keeps the exact order, which takes three times as long and memory for
 * all entries from the start. There is one of these for each table and index.
 */
export class RecentEntries<Key, Entry extends object> {
  #newer = new Map<Key, Entry>()
  #older = new Map<Key, Entry>()

  get(key: Key): Entry | undefined {
    const found = this.#newer.get(key)
    if (found !== undefined) return found
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: Key, entry: Entry): void {
    if (this.#newer.size >= ENTRIES_PER_GENERATION) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, entry)
  }

  delete(key: Key): void {
    this.#newer.delete(key)
    this.#older.delete(key)
  }
}
