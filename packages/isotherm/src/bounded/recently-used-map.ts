/**
 * A map of at most `max` members. A new member replaces the least recently used one.
 *
 * Implemented here instead of using `lru-cache`, because that would be a fifth of an application's bundle of this
 * library, for time limits, sizes and fetches that are not needed. A `Map` keeps its members in insertion order.
 */
export class RecentlyUsedMap<Key, Value extends object | number> {
  readonly #max: number
  /** In the order of use, least recently used first. */
  readonly #members = new Map<Key, Value>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#members.size
  }

  /** Returns the value, and marks it as used. */
  get(key: Key): Value | undefined {
    const value = this.#members.get(key)
    if (value !== undefined) this.#putLast(key, value)
    return value
  }

  /** Returns the value without marking it as used. */
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
