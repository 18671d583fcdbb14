import { attributeOf } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { Change, OrderedMap, StoredItem } from '../storage/ordered-map.js'

/** Times are seconds with 12 digits, so that their text order is their numeric order, for thirty thousand years. */
const DIGITS = 12
const LATEST_SECOND = 10 ** DIGITS - 1

/**
 * Items that expired longer ago are assumed to be mistakes and are not removed. Documented:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html
 */
const IGNORED_AFTER_SECONDS = 5 * 365 * 86_400

/** Entries that one search reads at most. It passes over those whose removal is under way. */
const LOOKED_AT_ONCE = 2_000

const ENTRY: StoredItem = { item: {}, bytes: 0 }

/** The items of a table that have a time to live, ordered by the time when they expire. Hidden, and free of charge. */
export class ExpiryIndex {
  readonly attribute: string
  readonly keyspace: string
  readonly #entries: OrderedMap
  /** No item expires before this second. */
  #earliest: number
  /** Whether there is an entry for every item that expires. */
  #isComplete: boolean

  constructor(attribute: string, keyspace: string, entries: OrderedMap, isComplete: boolean) {
    this.attribute = attribute
    this.keyspace = keyspace
    this.#entries = entries
    this.#earliest = Number.NEGATIVE_INFINITY
    this.#isComplete = isComplete
  }

  /** Every item that expires has an entry now. */
  complete(): void {
    this.#isComplete = true
  }

  /** Whether any item may have expired. Does not read the store. */
  isDue(now: number): boolean {
    return this.#earliest * 1000 <= now
  }

  /** The changes of this index for a write of an item. */
  changesFor(
    key: EncodedKey,
    before: StoredItem | undefined,
    after: StoredItem | undefined,
  ): readonly Change[] {
    const [old, next] = [this.secondOf(before), this.secondOf(after)]
    if (old === next) return []
    if (next !== undefined) this.#earliest = Math.min(this.#earliest, next)
    const removed = this.#isPresent(old, key) ? this.#change(old, key, ENTRY, undefined) : []
    return [...removed, ...this.#change(next, key, undefined, ENTRY)]
  }

  /** The change that adds an item's entry during a backfill. `undefined` when it needs none or has one. */
  missingEntry(key: EncodedKey, stored: StoredItem): Change | undefined {
    const second = this.secondOf(stored)
    if (second === undefined || this.#entries.latest(entryKey(second, key)) !== undefined) return undefined
    this.#earliest = Math.min(this.#earliest, second)
    return { keyspace: this.keyspace, key: entryKey(second, key), before: undefined, after: ENTRY }
  }

  /** The keys of some expired items. Entries are shown until their removal is durable, so some items may be gone. */
  *expired(now: number): Iterable<EncodedKey> {
    const second = Math.floor(now / 1000)
    const from = entryKey(Math.max(0, second - IGNORED_AFTER_SECONDS), '')
    let looked = 0
    for (const [entry] of this.#entries.range({ from, to: undefined })) {
      const at = Number(entry.slice(0, DIGITS))
      if (at > second || looked++ === LOOKED_AT_ONCE) return
      yield entry.slice(DIGITS) as EncodedKey
    }
  }

  /** Recomputes the earliest expiry time. Requires that readers see all entries. */
  lookAhead(now: number): void {
    const from = entryKey(Math.max(0, Math.floor(now / 1000) - IGNORED_AFTER_SECONDS), '')
    this.#earliest = Number.POSITIVE_INFINITY
    for (const [entry] of this.#entries.range({ from, to: undefined })) {
      this.#earliest = Number(entry.slice(0, DIGITS))
      return
    }
  }

  isExpired(stored: StoredItem | undefined, now: number): boolean {
    const second = this.secondOf(stored)
    return second !== undefined && second * 1000 <= now && second >= now / 1000 - IGNORED_AFTER_SECONDS
  }

  /** When an item expires, in seconds since the epoch, or `undefined` when it does not. Only numbers count. */
  secondOf(stored: StoredItem | undefined): number | undefined {
    const value = stored === undefined ? undefined : attributeOf(stored.item, this.attribute)
    if (value === undefined || !('N' in value)) return undefined
    const second = Math.floor(Number(value.N))
    return second > 0 && second <= LATEST_SECOND ? second : undefined
  }

  /** Whether an item of that time has an entry. A backfill may not have reached it. */
  #isPresent(second: number | undefined, key: EncodedKey): boolean {
    if (second === undefined || this.#isComplete) return second !== undefined
    return this.#entries.latest(entryKey(second, key)) !== undefined
  }

  #change(
    second: number | undefined,
    key: EncodedKey,
    before: StoredItem | undefined,
    after: StoredItem | undefined,
  ): readonly Change[] {
    if (second === undefined) return []
    return [{ keyspace: this.keyspace, key: entryKey(second, key), before, after }]
  }
}

function entryKey(second: number, key: string): EncodedKey {
  return `${String(second).padStart(DIGITS, '0')}${key}` as EncodedKey
}
