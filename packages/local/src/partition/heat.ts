import type { EncodedKey } from '../keyspace/encoded-key.js'

/** Keys remembered of a hot partition: enough to find the middle of its load within a few percent. */
const SAMPLE_SIZE = 512

/**
 * How hot a partition is, and by which keys: consumed units by the second, how many seconds were hot, and the
 * last keys that were asked for. Bounded, whatever the traffic.
 */
export class Heat {
  readonly #hotUnits: number
  #second = Number.NEGATIVE_INFINITY
  #units = 0
  #throttled = false
  #hotSeconds = 0
  readonly #sample: EncodedKey[] = []
  #next = 0

  /** @param hotUnits consumed units from which a second counts as hot. */
  constructor(hotUnits: number) {
    this.#hotUnits = hotUnits
  }

  /** Seconds that were hot, up to the last whole one, less the cold ones since. */
  get hotSeconds(): number {
    return this.#hotSeconds
  }

  /** The last keys asked for while hot, oldest first. */
  get sample(): readonly EncodedKey[] {
    return [...this.#sample.slice(this.#next), ...this.#sample.slice(0, this.#next)]
  }

  consumed(key: EncodedKey, units: number, now: number): void {
    this.#turnTo(now)
    this.#units += units
    // A cold partition will not be split, so its keys need not be remembered.
    if (this.#hotSeconds > 0 || this.#units >= this.#hotUnits) this.#remember(key)
  }

  throttled(key: EncodedKey | undefined, now: number): void {
    this.#turnTo(now)
    this.#throttled = true
    if (key !== undefined) this.#remember(key)
  }

  /** After a decision: the partition has to prove itself hot anew. */
  reset(): void {
    this.#hotSeconds = 0
    this.#sample.length = 0
    this.#next = 0
  }

  #turnTo(now: number): void {
    const second = Math.floor(now / 1000)
    if (second <= this.#second) return
    const wasHot = this.#throttled || this.#units >= this.#hotUnits
    // Traffic comes unevenly: a cold second takes one hot one back, not all of them.
    const cold = second - this.#second - (wasHot ? 1 : 0)
    this.#hotSeconds = Math.max(0, this.#hotSeconds + (wasHot ? 1 : 0) - cold)
    this.#second = second
    this.#units = 0
    this.#throttled = false
  }

  #remember(key: EncodedKey): void {
    this.#sample[this.#next] = key
    this.#next = (this.#next + 1) % SAMPLE_SIZE
  }
}
