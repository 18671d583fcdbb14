/**
 * The number of keys guaranteed to be kept when they are the heaviest. Twice as many are counted before the rest is
 * dropped.
 */
const KEPT = 256

interface Counter {
  /** An upper bound of the key's weight, which includes what it may have had before it was last dropped. */
  atMost: number
  /** The maximum by which `atMost` exceeds the true weight. */
  error: number
}

/** A key and a lower bound of its weight. */
export type Contribution = readonly [key: string, weight: number]

/**
 * The heaviest keys of a stream in bounded memory, by the Space-Saving algorithm (Metwally, Agrawal and El Abbadi,
 * 2005). Instead of dropping the lightest key for every new key, it drops the lightest half at once. It is exact while
 * there are no more than 512 keys.
 *
 * A key that returns starts with the maximum weight it may have had, so that no heavy key is lost. Reports show the
 * lower bound.
 */
export class KeySketch {
  readonly #counters = new Map<string, Counter>()
  /** The maximum weight that a dropped key may have had. */
  #floor = 0
  total = 0

  add(key: string, weight: number): void {
    this.total += weight
    const counter = this.#counters.get(key)
    if (counter !== undefined) {
      counter.atMost += weight
      return
    }
    if (this.#counters.size >= 2 * KEPT) this.#forgetLightest()
    this.#counters.set(key, { atMost: this.#floor + weight, error: this.#floor })
  }

  /** The heaviest keys, heaviest first. */
  top(count: number): readonly Contribution[] {
    const contributions = [...this.#counters].map(
      ([key, { atMost, error }]): Contribution => [key, atMost - error],
    )
    return contributions.sort(([, a], [, b]) => b - a).slice(0, count)
  }

  #forgetLightest(): void {
    const byWeight = [...this.#counters].sort(([, a], [, b]) => b.atMost - a.atMost)
    for (const [key, { atMost }] of byWeight.slice(KEPT)) {
      this.#floor = Math.max(this.#floor, atMost)
      this.#counters.delete(key)
    }
  }
}
