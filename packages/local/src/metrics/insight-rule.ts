import type { KeyType } from '@isotherm/semantics'
import { decodeKey, keyLength } from '../keyspace/decode-key.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { type Contribution, KeySketch } from './key-sketch.js'
import { MINUTE, minuteOf } from './metric-source.js'
import { UniqueCount } from './unique-count.js'

/** The maximum number of contributors in a report. A completed minute need not store more. */
const KEPT_CONTRIBUTORS = 100

/** The keys that a rule counts, and since when. */
export interface InsightRuleDefinition {
  readonly name: string
  /** The key attributes to count by: the partition key's, or those of both keys. */
  readonly keys: readonly { readonly name: string; readonly type: KeyType }[]
  /** When it begins to count. */
  readonly from: number
}

/** The counts of one minute, by encoded key. */
export interface InsightMinute {
  readonly at: number
  readonly total: number
  readonly contributors: readonly Contribution[]
  readonly unique: UniqueCount
}

/** Called with the number of contributors that a rule stores in addition. */
type OnKept = (contributors: number) => void

/** A Contributor Insights rule: the heaviest keys of a table or index, minute by minute. */
export class InsightRule {
  readonly definition: InsightRuleDefinition
  readonly #types: readonly KeyType[]
  readonly #onKept: OnKept
  readonly #finished: InsightMinute[] = []
  #at = Number.NEGATIVE_INFINITY
  #sketch = new KeySketch()
  #unique = new UniqueCount()

  constructor(definition: InsightRuleDefinition, onKept: OnKept) {
    this.definition = definition
    this.#types = definition.keys.map(({ type }) => type)
    this.#onKept = onKept
  }

  /** Counts a key. A key that lacks the rule's attributes, such as that of a scan, is not counted. */
  record(key: EncodedKey, weight: number, now: number): void {
    if (now < this.definition.from) return
    const length = keyLength(key, this.#types)
    if (length === undefined) return
    if (now >= this.#at + MINUTE) this.#turnTo(minuteOf(now))
    const counted = key.slice(0, length)
    this.#sketch.add(counted, weight)
    this.#unique.add(counted)
  }

  /** The time of its oldest completed minute, or `undefined` when there is none. */
  get oldest(): number | undefined {
    return this.#finished[0]?.at
  }

  /** Minutes from `from` (inclusive) to `to` (exclusive), oldest first. */
  minutes(from: number, to: number): readonly InsightMinute[] {
    const open = this.#sketch.total === 0 ? [] : [this.#openMinute()]
    return [...this.#finished, ...open].filter(({ at }) => at >= from && at < to)
  }

  /** The values of a contributor's key attributes. */
  valuesOf(key: string): readonly string[] {
    return decodeKey(key, this.#types)
  }

  forgetOldest(): void {
    const minute = this.#finished.shift()
    if (minute !== undefined) this.#onKept(-minute.contributors.length)
  }

  #turnTo(minute: number): void {
    if (this.#sketch.total > 0) {
      const finished = this.#openMinute()
      this.#finished.push(finished)
      this.#onKept(finished.contributors.length)
    }
    this.#at = minute
    this.#sketch = new KeySketch()
    this.#unique = new UniqueCount()
  }

  #openMinute(): InsightMinute {
    const contributors = this.#sketch.top(KEPT_CONTRIBUTORS)
    return { at: this.#at, total: this.#sketch.total, contributors, unique: this.#unique }
  }
}
