import { LRUCache } from 'lru-cache'
import { isDamage } from '../errors/is-damage.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { rangeOfPrefix } from '../keyspace/key-range.js'
import type { Change, OrderedMap } from '../storage/ordered-map.js'

/** Collections whose size is cached. Other sizes are counted when they are needed. */
const REMEMBERED = 10_000

/** What one write counts at most: about a millisecond on disk. */
const COUNTED_AT_ONCE = 64
const COUNTED_BYTES_AT_ONCE = 256 * 1024

/** A write would make its item collection too large. */
export class CollectionTooLarge extends Error {
  override readonly name = 'CollectionTooLarge'
}

/** A keyspace that holds a part of each collection: the items of a table, or the entries of a local index. */
export interface CollectionPlace {
  readonly keyspace: string
  readonly items: OrderedMap
}

/** A collection that is counted, as far as the cursor. */
interface Count {
  bytes: number
  /** The number of the place with the cursor. Behind the last place, everything is counted. */
  place: number
  cursor: EncodedKey
}

/**
 * The sizes of a table's item collections: all items of one partition key, with their entries in local indexes. Only
 * tables with local indexes limit them.
 *
 * A collection may have gigabytes, so it is not counted at once when its size is unknown, as after a restart. Its first
 * write counts a few entries, and each further write some more if all collections together exceed the limit of one. Until
 * it is counted, a collection may grow beyond its limit. On disk, its size may be off by the writes that were not durable
 * yet while they were counted. Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html
 */
export class ItemCollections {
  readonly #places: readonly CollectionPlace[]
  readonly #numbers: ReadonlyMap<string, number>
  readonly #limit: number
  readonly #counts = new LRUCache<string, Count>({ max: REMEMBERED })

  constructor(places: readonly CollectionPlace[], limit: number) {
    this.#places = places
    this.#numbers = new Map(places.map(({ keyspace }, number) => [keyspace, number]))
    this.#limit = limit
  }

  /** By how many bytes the changes of an item make its collection grow. */
  growth(changes: readonly Change[]): number {
    let growth = 0
    for (const change of changes) if (this.#numbers.has(change.keyspace)) growth += growthOf(change)
    return growth
  }

  /**
   * The bounds of a collection's size in bytes. They are equal when the collection is counted.
   * @param collection the encoded partition key, which is the prefix of all keys of the collection.
   */
  estimate(collection: string): { readonly least: number; readonly most: number } {
    const count = this.#counted(collection, true)
    return { least: count.bytes, most: this.#isComplete(count) ? count.bytes : this.#bytes }
  }

  /** @throws CollectionTooLarge when the collection would grow beyond the limit. Writes that shrink it always pass. */
  checkRoom(collection: string, growth: number): void {
    if (growth <= 0) return
    const mayExceed = this.#bytes + growth > this.#limit
    const { bytes } = this.#counted(collection, mayExceed)
    if (mayExceed && bytes + growth > this.#limit) {
      throw new CollectionTooLarge(`An item collection may hold ${this.#limit} bytes.`)
    }
  }

  /** Records the changes of an item. */
  written(collection: string, changes: readonly Change[]): void {
    const count = this.#counts.get(collection)
    if (count === undefined) return
    for (const change of changes) {
      const place = this.#numbers.get(change.keyspace)
      if (place === undefined || place > count.place) continue
      // Entries that the cursor has not passed are counted when it comes to them.
      if (place < count.place || change.key < count.cursor) count.bytes += growthOf(change)
    }
  }

  /** The size of all collections. */
  get #bytes(): number {
    let bytes = 0
    for (const { items } of this.#places) bytes += items.bytes
    return bytes
  }

  #isComplete({ place }: Count): boolean {
    return place === this.#places.length
  }

  /** @param isNeeded whether to continue a count that has begun. */
  #counted(collection: string, isNeeded: boolean): Count {
    const known = this.#counts.get(collection)
    if (known !== undefined && !isNeeded) return known
    const count = known ?? { bytes: 0, place: 0, cursor: collection as EncodedKey }
    if (known === undefined) this.#counts.set(collection, count)
    try {
      this.#advance(count, collection)
    } catch (error) {
      if (!isDamage(error)) throw error
      // Writes must not fail for it. The items behind the damage are not counted.
      count.place = this.#places.length
    }
    return count
  }

  #advance(count: Count, collection: string): void {
    const { from, to } = rangeOfPrefix(collection)
    let entries = 0
    let bytes = 0
    for (let place = this.#places[count.place]; place !== undefined; place = this.#places[count.place]) {
      const { items } = place
      for (const [key, stored] of items.range({ from: count.cursor, to })) {
        if (entries === COUNTED_AT_ONCE || bytes >= COUNTED_BYTES_AT_ONCE) return
        entries++
        bytes += stored.bytes
        count.bytes += items.latest(key)?.bytes ?? 0
        count.cursor = `${key}\u0000` as EncodedKey
      }
      count.place++
      count.cursor = from
    }
  }
}

function growthOf({ before, after }: Change): number {
  return (after?.bytes ?? 0) - (before?.bytes ?? 0)
}
