import { MAX_PARTITION_KEY_BYTES, utf8Length } from '@isotherm/semantics'
import { keyText, type LogicalKey, type SuffixableKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import { MAX_SHARDS } from '../options/shard-limits.js'
import { OWN_KEYS } from '../protocol/index.js'

/** The candidate delimiters, shortest and best known first. */
const CANDIDATES = ['_', '#', '~', '|', '^', '::', '##', '__', '~~', '#shard#', '~isotherm~']

/** The number of ambiguous keys listed in the report. */
const MAX_EXAMPLES = 20

/** Counts obstacles to adopting a table, key by key. The items of one key must come one after the other. */
export class KeyCensus {
  readonly #suffix: Suffix
  readonly #room: number
  readonly #absent = new Set(CANDIDATES)
  readonly examples: { readonly key: SuffixableKey; readonly shorter: LogicalKey }[] = []
  #last: string | undefined
  #items = 0
  #keys = 0
  #ambiguousKeys = 0
  #keysTooLong = 0
  #reservedKeys = 0

  constructor(table: string, delimiter: string) {
    this.#suffix = new Suffix(table, delimiter, true)
    this.#room = MAX_PARTITION_KEY_BYTES - utf8Length(`${delimiter}${MAX_SHARDS}`)
  }

  get result() {
    const [suggestedDelimiter] = this.#absent
    return {
      items: this.#items,
      keys: this.#keys,
      ambiguousKeys: this.#ambiguousKeys,
      keysTooLong: this.#keysTooLong,
      reservedKeys: this.#reservedKeys,
      suggestedDelimiter,
    }
  }

  add(key: SuffixableKey): void {
    this.#items += 1
    const text = keyText(key as LogicalKey)
    if (text === this.#last) return
    this.#last = text
    this.#keys += 1
    for (const candidate of this.#absent) if (text.includes(candidate)) this.#absent.delete(candidate)
    if (('S' in key ? utf8Length(key.S) : key.B.length) > this.#room) this.#keysTooLong += 1
    if (text.startsWith(OWN_KEYS)) this.#reservedKeys += 1
    const taken = this.#suffix.strip(key)
    // Only a key that ends like a suffix has a shard other than the first.
    if (taken === undefined || taken.shard === 1) return
    this.#ambiguousKeys += 1
    if (this.examples.length < MAX_EXAMPLES) this.examples.push({ key, shorter: taken.logical })
  }
}
