/** Keys that are certainly kept when they are among the heaviest; twice as many are counted before the rest goes. */
const KEPT = 256

interface Counter {
  /** The key's weight, or more: what it may have had before it was last forgotten is in it. */
  atMost: number
  /** By how much at most it is more. */
  error: number
}

/** A key and what is certainly its own. */
export type Contribution = readonly [key: string, weight: number]

/**
 * The heaviest keys of a stream in bounded memory: Space-Saving (Metwally, Agrawal and El Abbadi, 2005), which forgets
 * the lightest half at once instead of the lightest one with every new key. Exact while there are no more than 512 keys.
 *
 * A key comes back with the most that it can have had, so that no heavy key is lost; reported is the least.
 */
export class KeySketch {
  readonly #counters = new Map<string, Counter>()
  /** The most that a forgotten key can have had. */
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
