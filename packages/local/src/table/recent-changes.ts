import type { Random } from '@isotherm/runtime'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { Change, StoredItem } from '../storage/ordered-map.js'
import type { HiddenChanges } from './lagging-view.js'

interface RecentChange {
  readonly keyspace: string
  readonly key: EncodedKey
  readonly before: StoredItem | undefined
  readonly at: number
}

/** Recent changes, kept so that an eventually consistent read can show an earlier state of the table. */
export class RecentChanges {
  readonly #lagMilliseconds: number
  readonly #random: Random
  /** Ordered by time. Changes before `#first` are too old to matter. */
  #changes: RecentChange[] = []
  #first = 0
  readonly #byPlace = new Map<string, Map<EncodedKey, RecentChange[]>>()

  constructor(lagMilliseconds: number, random: Random) {
    this.#lagMilliseconds = lagMilliseconds
    this.#random = random
  }

  record(changes: readonly Change[], now: number): void {
    if (this.#lagMilliseconds === 0) return
    this.#forgetUntil(now - this.#lagMilliseconds)
    for (const { keyspace, key, before } of changes) {
      const change = { keyspace, key, before, at: now }
      this.#changes.push(change)
      const keys = this.#byPlace.get(keyspace) ?? new Map<EncodedKey, RecentChange[]>()
      this.#byPlace.set(keyspace, keys)
      const ofKey = keys.get(key)
      if (ofKey === undefined) keys.set(key, [change])
      else ofKey.push(change)
    }
  }

  /** The changes hidden from a read with a random lag, or `undefined` when there are none. */
  hiddenFromRead(keyspace: string, now: number): RecentlyHidden | undefined {
    const keys = this.#byPlace.get(keyspace)
    if (keys === undefined || keys.size === 0) return undefined
    return new RecentlyHidden(keys, now - this.#random.next() * this.#lagMilliseconds)
  }

  #forgetUntil(time: number): void {
    for (let oldest = this.#changes[this.#first]; oldest !== undefined && oldest.at <= time; ) {
      const keys = this.#byPlace.get(oldest.keyspace)
      const ofKey = keys?.get(oldest.key)
      ofKey?.shift()
      if (ofKey?.length === 0) keys?.delete(oldest.key)
      this.#first++
      oldest = this.#changes[this.#first]
    }
    // More than half of the list is obsolete, so it is dropped.
    if (this.#first * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#first)
      this.#first = 0
    }
  }
}

/** The changes of a keyspace after a moment, which are hidden from one read. */
class RecentlyHidden implements HiddenChanges {
  readonly #keys: ReadonlyMap<EncodedKey, readonly RecentChange[]>
  readonly #horizon: number

  constructor(keys: ReadonlyMap<EncodedKey, readonly RecentChange[]>, horizon: number) {
    this.#keys = keys
    this.#horizon = horizon
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0
  }

  hides(key: EncodedKey): boolean {
    return this.#hidden(key) !== undefined
  }

  /** The visible value at a hidden key. */
  visible(key: EncodedKey): StoredItem | undefined {
    return this.#hidden(key)?.before
  }

  *shown(): Iterable<readonly [EncodedKey, StoredItem]> {
    for (const key of this.#keys.keys()) {
      const before = this.#hidden(key)?.before
      if (before !== undefined) yield [key, before]
    }
  }

  /** The oldest change after the moment holds the value before all of them. */
  #hidden(key: EncodedKey): RecentChange | undefined {
    return this.#keys.get(key)?.find(({ at }) => at > this.#horizon)
  }
}
