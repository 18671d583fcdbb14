/**
 * A map of at most `max` members; the one that was not used for the longest time makes room for a new one.
 *
 * Written here and not taken from `lru-cache`, which is a fifth of the bundle of an application that uses this library, for
 * time limits, sizes and fetches that are not needed: a `Map` keeps its members in the order in which they were added.
 */
export class RecentlyUsedMap<Key, Value extends object | number> {
  readonly #max: number
  /** The least recently used first. */
  readonly #members = new Map<Key, Value>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#members.size
  }

  /** The value, which counts as used from now on. */
  get(key: Key): Value | undefined {
    const value = this.#members.get(key)
    if (value !== undefined) this.#putLast(key, value)
    return value
  }

  /** The value, without using it. */
  peek(key: Key): Value | undefined {
    return this.#members.get(key)
  }

  set(key: Key, value: Value): void {
    this.#putLast(key, value)
    if (this.#members.size <= this.#max) return
    for (const oldest of this.#members.keys()) {
      this.#members.delete(oldest)
      return
    }
  }

  #putLast(key: Key, value: Value): void {
    this.#members.delete(key)
    this.#members.set(key, value)
  }
}
