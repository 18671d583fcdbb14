import { isDamage } from '../errors/is-damage.js'
import { type EncodedKey, HASH_BYTES } from '../keyspace/encoded-key.js'
import type { OrderedMap } from '../storage/ordered-map.js'
import type { Partition } from './partition.js'
import type { PartitionMap } from './partition-map.js'

/** The number of entries that one write visits while a partition is walked: some microseconds in memory. */
const STEPS_PER_WRITE = 64
/** Entries of 400 KB are read from the disk, so their size counts as well. */
const BYTES_PER_WRITE = 256 * 1024

/** A partition that could not be split is tried again when it has grown by this factor. */
const GROWN_ENOUGH = 1.1

/** A walk through a partition, a few entries with each write. */
interface Walk {
  readonly partition: Partition
  readonly end: EncodedKey | undefined
  /** `'all'` counts all entries. A number searches the entry that has this many bytes before it. */
  readonly goal: 'all' | number
  map: number
  cursor: EncodedKey
  /** Bytes before the cursor. */
  bytes: number
  /** Bytes before the collection at the cursor. */
  collectionBytes: number
}

/**
 * Tracks how many bytes lie in each partition of a keyspace, and splits a partition that holds too many.
 *
 * Every write adds its growth to its partition. While the whole keyspace is smaller than the limit of one partition,
 * this is all that happens. When a partition's bytes are unknown, after a restart or a split for heat, or when its
 * middle must be found, writes to the partition walk through it, a few entries each. So nothing runs in the background,
 * and no write waits for gigabytes to be read.
 *
 * Bytes of a durable store may be off by the writes that were not durable yet while they were counted. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.Partitions.html
 */
export class PartitionSizes {
  readonly #partitions: PartitionMap
  readonly #maps: readonly OrderedMap[]
  readonly #limit: number
  readonly #gaveUpAt = new WeakMap<Partition, number>()
  #walk: Walk | undefined
  /** Whether a walk has met a damaged row, which each further one would meet. */
  #isDamaged = false

  /** @param maps the items of the keyspace, and the entries of local indexes in the same partitions. */
  constructor(partitions: PartitionMap, maps: readonly OrderedMap[], limit: number) {
    this.#partitions = partitions
    this.#maps = maps
    this.#limit = limit
    if (maps.every(({ size }) => size === 0)) for (const partition of partitions.all) partition.bytes = 0
  }

  /** Discards all counts, because they may be wrong. */
  forget(): void {
    this.#walk = undefined
    for (const partition of this.#partitions.all) partition.bytes = undefined
  }

  /** Records a write to one of the maps. */
  written(map: number, key: EncodedKey, growth: number, now: number): void {
    const partition = this.#partitions.find(key)
    const walk = this.#walk
    if (walk?.partition === partition && isBehind(walk, map, key)) {
      walk.bytes += growth
      if (walk.cursor.slice(0, HASH_BYTES) > key) walk.collectionBytes += growth
    }
    if (partition.bytes !== undefined) partition.bytes += growth
    if (this.#bytes < this.#limit || this.#isDamaged) return
    if (walk === undefined) this.#beginWalk(partition)
    try {
      if (this.#walk !== undefined) this.#advance(this.#walk, now)
    } catch (error) {
      // The write has been made already, and its request must not fail.
      if (!isDamage(error)) throw error
      this.#isDamaged = true
      this.#walk = undefined
    }
  }

  get #bytes(): number {
    let bytes = 0
    for (const map of this.#maps) bytes += map.bytes
    return bytes
  }

  #beginWalk(partition: Partition): void {
    const { bytes, from: cursor } = partition
    if (bytes !== undefined && bytes < this.#limit) return
    if (bytes !== undefined && bytes < (this.#gaveUpAt.get(partition) ?? 0) * GROWN_ENOUGH) return
    const end = this.#partitions.endOf(partition)
    const goal = bytes === undefined ? 'all' : (bytes / 2) * this.#shareOfItems
    this.#walk = { partition, end, goal, map: 0, cursor, bytes: 0, collectionBytes: 0 }
  }

  /** To find the middle, entries of local indexes are assumed to be distributed like their items. */
  get #shareOfItems(): number {
    const [items] = this.#maps
    return items === undefined ? 1 : items.bytes / this.#bytes
  }

  #advance(walk: Walk, now: number): void {
    // The partition was split for another reason, so the walk is obsolete.
    if (this.#partitions.endOf(walk.partition) !== walk.end) {
      this.#walk = undefined
      return
    }
    let steps = 0
    let looked = 0
    const entries = this.#maps[walk.map]?.range({ from: walk.cursor, to: walk.end }) ?? []
    for (const [key, { bytes }] of entries) {
      if (key.slice(0, HASH_BYTES) !== walk.cursor.slice(0, HASH_BYTES)) walk.collectionBytes = walk.bytes
      if (this.#isBorder(walk)) {
        this.#cut(walk, key, now)
        return
      }
      walk.cursor = key
      if (steps === STEPS_PER_WRITE || looked >= BYTES_PER_WRITE) return
      steps++
      looked += bytes
      walk.bytes += bytes
      walk.cursor = `${key}\u0000` as EncodedKey
    }
    this.#endOfMap(walk, now)
  }

  /** Whether the walk has reached its goal at a position where its partition may be split. */
  #isBorder({ goal, bytes, collectionBytes }: Walk): boolean {
    if (goal === 'all' || bytes < goal) return false
    return !this.#partitions.wholeCollections || collectionBytes > 0
  }

  #cut({ partition, bytes: before }: Walk, key: EncodedKey, now: number): void {
    this.#walk = undefined
    const { wholeCollections } = this.#partitions
    const border = wholeCollections ? (key.slice(0, HASH_BYTES) as EncodedKey) : key
    const all = partition.bytes ?? 0
    const created = this.#partitions.split(partition, border, 'size', now)
    if (created === undefined) this.#gaveUpAt.set(partition, all)
    else if (!wholeCollections) {
      partition.bytes = before
      created.bytes = all - before
    }
  }

  #endOfMap(walk: Walk, now: number): void {
    const { partition, goal, bytes } = walk
    if (goal === 'all' && walk.map + 1 < this.#maps.length) {
      walk.map++
      walk.cursor = partition.from
      return
    }
    this.#walk = undefined
    if (goal === 'all') {
      partition.bytes = bytes
      return
    }
    this.#gaveUpAt.set(partition, partition.bytes ?? 0)
    if (this.#partitions.wholeCollections) {
      this.#partitions.refuse(partition, 'one-collection-with-local-indexes', now)
    }
  }
}

/** Whether the walk has already passed this position. */
function isBehind({ map, cursor, goal }: Walk, written: number, key: EncodedKey): boolean {
  if (written !== map) return goal === 'all' && written < map
  return key < cursor
}
