import type { EncodedKey } from '../keyspace/encoded-key.js'

/** Keys remembered for a hot partition: enough to find the middle of its load within a few percent. */
const SAMPLE_SIZE = 512

/**
 * How hot a partition is, and because of which keys: units consumed in the current second, the number of hot seconds,
 * and the last requested keys. Its size is bounded for any traffic.
 */
export class Heat {
  readonly #hotUnits: number
  #second = Number.NEGATIVE_INFINITY
  #units = 0
  #throttled = false
  #hotSeconds = 0
  readonly #sample: EncodedKey[] = []
  #next = 0

  /** @param hotUnits the number of consumed units from which a second counts as hot. */
  constructor(hotUnits: number) {
    this.#hotUnits = hotUnits
  }

  /** Hot seconds up to the last complete one, minus the cold seconds since. */
  get hotSeconds(): number {
    return this.#hotSeconds
  }

  /** The last keys requested while hot, oldest first. */
  get sample(): readonly EncodedKey[] {
    return [...this.#sample.slice(this.#next), ...this.#sample.slice(0, this.#next)]
  }

  consumed(key: EncodedKey, units: number, now: number): void {
    this.#turnTo(now)
    this.#units += units
    // A cold partition is not split, so its keys need not be remembered.
    if (this.#hotSeconds > 0 || this.#units >= this.#hotUnits) this.#remember(key)
  }

  throttled(key: EncodedKey | undefined, now: number): void {
    this.#turnTo(now)
    this.#throttled = true
    if (key !== undefined) this.#remember(key)
  }

  /** Called after a split decision. The partition has to become hot again before the next one. */
  reset(): void {
    this.#hotSeconds = 0
    this.#sample.length = 0
    this.#next = 0
  }

  #turnTo(now: number): void {
    const second = Math.floor(now / 1000)
    if (second <= this.#second) return
    const wasHot = this.#throttled || this.#units >= this.#hotUnits
    // Traffic is uneven, so a cold second cancels one hot second instead of all of them.
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
