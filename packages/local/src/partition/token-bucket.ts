/** In milliseconds: longer than what rounding may lose, shorter than what anybody can see. */
const A_MOMENT = 0.001

/**
 * Capacity that fills at a steady rate up to a depth. Whoever finds any left is admitted and pays the real price, even
 * past zero; the debt is paid back before anyone else is admitted. That is how a request larger than what is left gets
 * through, and why no window hands out more than rate x time + depth + one request.
 *
 * Refilled when looked at, not by a timer: a thousand idle partitions cost nothing.
 */
export class TokenBucket {
  #unitsPerSecond: number
  #depth: number
  #tokens: number
  #filledAt: number

  /**
   * @param burstSeconds the depth, in seconds of the rate.
   * @param now in milliseconds.
   * @param savedSeconds how much is in it at first; it is full unless something else is said.
   */
  constructor(unitsPerSecond: number, burstSeconds: number, now: number, savedSeconds = burstSeconds) {
    this.#unitsPerSecond = unitsPerSecond
    this.#depth = unitsPerSecond * burstSeconds
    this.#tokens = unitsPerSecond * Math.min(savedSeconds, burstSeconds)
    this.#filledAt = now
  }

  get unitsPerSecond(): number {
    return this.#unitsPerSecond
  }

  /** Units that are there at `now`; below zero, a debt. */
  available(now: number): number {
    if (now > this.#filledAt) {
      const filled = this.#tokens + ((now - this.#filledAt) / 1000) * this.#unitsPerSecond
      this.#tokens = Math.min(this.#depth, filled)
      this.#filledAt = now
    }
    return this.#tokens
  }

  /** When there is something left, from `now` on, and from when it was last looked at. */
  freeAt(now: number): number {
    const tokens = this.available(now)
    if (tokens > 0) return Math.max(now, this.#filledAt)
    // At zero nothing is left yet, so a moment more.
    return Math.max(now, this.#filledAt) + (-tokens / this.#unitsPerSecond) * 1000 + A_MOMENT
  }

  /** Takes units, into debt if need be. Ask `available` first. */
  take(units: number): void {
    this.#tokens -= units
  }

  /** Goes on at another rate with what was saved, as far as the new depth holds it. */
  changeRate(unitsPerSecond: number, burstSeconds: number, now: number): void {
    const tokens = this.available(now)
    this.#unitsPerSecond = unitsPerSecond
    this.#depth = unitsPerSecond * burstSeconds
    this.#tokens = Math.min(tokens, this.#depth)
  }

  /** Gives half of everything away: rate, depth, and what was saved or is owed. @returns the bucket that got it. */
  halve(now: number): TokenBucket {
    const tokens = this.available(now) / 2
    const half = new TokenBucket(this.#unitsPerSecond / 2, this.#depth / this.#unitsPerSecond, now)
    this.#unitsPerSecond /= 2
    this.#depth /= 2
    this.#tokens = tokens
    half.#tokens = tokens
    return half
  }
}
