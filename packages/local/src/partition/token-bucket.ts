/** In milliseconds. Longer than rounding errors, and too short to be noticed. */
const A_MOMENT = 0.001

/**
 * Capacity that refills at a steady rate up to a depth. A request is admitted while any units are left, and pays its
 * full cost even below zero. The debt is paid back before any other request is admitted. So a request larger than what
 * is left succeeds, and no window admits more than rate x time + depth + one request.
 *
 * The bucket is refilled when it is read, not by a timer, so a thousand idle partitions cost nothing.
 */
export class TokenBucket {
  #unitsPerSecond: number
  #depth: number
  #tokens: number
  #filledAt: number

  /**
   * @param burstSeconds the depth, in seconds of the rate.
   * @param now in milliseconds.
   * @param savedSeconds the initial content, in seconds of the rate. The bucket starts full by default.
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

  /** Units available at `now`. A negative number is a debt. */
  available(now: number): number {
    if (now > this.#filledAt) {
      const filled = this.#tokens + ((now - this.#filledAt) / 1000) * this.#unitsPerSecond
      this.#tokens = Math.min(this.#depth, filled)
      this.#filledAt = now
    }
    return this.#tokens
  }

  /** The earliest time when units are available, from `now` or the last refill on. */
  freeAt(now: number): number {
    const tokens = this.available(now)
    if (tokens > 0) return Math.max(now, this.#filledAt)
    // At zero no units are left yet, so this adds a moment.
    return Math.max(now, this.#filledAt) + (-tokens / this.#unitsPerSecond) * 1000 + A_MOMENT
  }

  /** Takes units, into debt if necessary. Check `available` first. */
  take(units: number): void {
    this.#tokens -= units
  }

  /** Continues at another rate with the saved units, up to the new depth. */
  changeRate(unitsPerSecond: number, burstSeconds: number, now: number): void {
    const tokens = this.available(now)
    this.#unitsPerSecond = unitsPerSecond
    this.#depth = unitsPerSecond * burstSeconds
    this.#tokens = Math.min(tokens, this.#depth)
  }

  /** Moves half of the rate, the depth, and the saved or owed units to a new bucket. @returns the new bucket. */
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
