import { LRUCache } from 'lru-cache'
import { rangeOfPrefix } from '../keyspace/key-range.js'
import type { OrderedMap } from '../storage/ordered-map.js'

/** Collections whose size is cached. Other sizes are computed when they are needed. */
const REMEMBERED = 10_000

/** A write would make its item collection too large. */
export class CollectionTooLarge extends Error {
  override readonly name = 'CollectionTooLarge'
}

/**
 * The sizes of a table's item collections: all items of one partition key, with their entries in local indexes. Only
 * tables with local indexes limit them. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html
 */
export class ItemCollections {
  readonly #maps: readonly OrderedMap[]
  readonly #limit: number
  readonly #sizes = new LRUCache<string, number>({ max: REMEMBERED })

  /** @param maps the table's items and the entries of each local index. */
  constructor(maps: readonly OrderedMap[], limit: number) {
    this.#maps = maps
    this.#limit = limit
  }

  /** @param collection the encoded partition key, which is the prefix of all keys of the collection. */
  bytes(collection: string): number {
    const known = this.#sizes.get(collection)
    if (known !== undefined) return known
    let bytes = 0
    for (const map of this.#maps) {
      for (const [, stored] of map.range(rangeOfPrefix(collection))) bytes += stored.bytes
    }
    this.#sizes.set(collection, bytes)
    return bytes
  }

  /** @throws CollectionTooLarge when the collection would grow beyond the limit. Writes that shrink it always pass. */
  checkRoom(collection: string, growth: number): void {
    if (growth > 0 && this.bytes(collection) + growth > this.#limit) {
      throw new CollectionTooLarge(`An item collection may hold ${this.#limit} bytes.`)
    }
  }

  grown(collection: string, growth: number): void {
    const known = this.#sizes.get(collection)
    if (known !== undefined) this.#sizes.set(collection, known + growth)
  }
}
