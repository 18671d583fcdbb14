import { MAX_SORT_KEY_BYTES } from '@isotherm/semantics'
import type { SuffixableKey } from '../keys/key.js'
import type { ShardNames, SuffixRange } from '../keys/shard-names.js'

/** A key as bytes. Text and bytes are both ordered by them. */
export type KeyBytes = Uint8Array

/** A logical key that may be stored behind a place in an index, although it precedes keys before that place. */
export interface KeyBehind {
  readonly logical: KeyBytes
  /** The range in which its items are stored, together with those of other keys. */
  readonly first: KeyBytes
  readonly last: KeyBytes
}

export function compareKeys(a: KeyBytes, b: KeyBytes): number {
  return Buffer.compare(a, b)
}

/** Whether a stored key is short enough for an index that has it as its sort key. */
export function fitsIndex(stored: KeyBytes): boolean {
  return stored.length <= MAX_SORT_KEY_BYTES
}

export function bytesOf(key: SuffixableKey): KeyBytes {
  return 'S' in key ? Buffer.from(key.S) : key.B
}

/**
 * The order of the keys of a table in an index that has them as its sort key.
 *
 * Keys are stored with their suffixes, so `a` and `ab` are stored as `a_1` and `ab_1`, but `a` and `a1` in the other
 * order, as `a1_1` and `a_1`. Only a key that is a prefix of another can be stored behind it although it precedes it. So
 * of all keys that are stored behind a place, only prefixes of that place can precede a key that is stored before it.
 */
export class StoredOrder {
  readonly #names: ShardNames
  readonly #suffixes: SuffixRange
  #isText: boolean

  /** @param isText whether keys are text, until one is seen */
  constructor(names: ShardNames, suffixes: SuffixRange, isText: boolean) {
    this.#names = names
    this.#suffixes = suffixes
    this.#isText = isText
  }

  /** A query without a condition on the keys learns their type from the first one. */
  learnType(key: SuffixableKey): void {
    this.#isText = 'S' in key
  }

  keyOf(bytes: KeyBytes): SuffixableKey {
    return this.#isText ? { S: Buffer.from(bytes).toString() } : { B: bytes }
  }

  /** The logical key of a stored key. A key without a suffix was not written by the library, and stands for itself. */
  logicalOf(stored: KeyBytes): KeyBytes {
    const stripped = this.#names.strip(this.keyOf(stored))
    return stripped === undefined ? stored : bytesOf(stripped.logical)
  }

  /** A key that is stored for exactly this logical key. */
  storedFor(logical: KeyBytes): KeyBytes {
    return this.#with(logical, this.#suffixes.any)
  }

  /**
   * The keys that may be stored behind a place, although they precede keys before it, ordered by where they are stored.
   * @param isKey whether the place itself is such a key, too
   */
  behind(place: KeyBytes, isKey: boolean): readonly KeyBehind[] {
    const found: KeyBehind[] = []
    const { first, last } = this.#suffixes
    for (const end of this.#ends(place)) {
      if (end === place.length && !isKey) continue
      const logical = place.subarray(0, end)
      const key = { logical, first: this.#with(logical, first), last: this.#with(logical, last) }
      // No item of such a key is in the index, and a request for one is refused.
      if (!fitsIndex(key.first) && !fitsIndex(key.last)) continue
      if (compareKeys(key.last, place) > 0 && this.#names.accepts(this.keyOf(logical))) found.push(key)
    }
    return found.sort((a, b) => compareKeys(a.first, b.first))
  }

  /** The ends of all prefixes. A prefix of a text ends with a whole character. */
  #ends(place: KeyBytes): readonly number[] {
    const lengths = this.#isText
      ? Array.from(Buffer.from(place).toString(), (character) => Buffer.byteLength(character))
      : Array.from(place, () => 1)
    let end = 0
    return lengths.map((length) => {
      end += length
      return end
    })
  }

  #with(logical: KeyBytes, suffix: string): KeyBytes {
    return Buffer.concat([logical, Buffer.from(suffix)])
  }
}
