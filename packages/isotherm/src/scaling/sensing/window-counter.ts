/**
 * Sums amounts over the last window from two buckets: the current one and a part of the previous one. The sum is exact
 * for a steady rate, without storing every event.
 */
export class WindowCounter {
  readonly #windowMilliseconds: number
  #window = 0
  #running = 0
  #before = 0

  constructor(windowMilliseconds: number) {
    this.#windowMilliseconds = windowMilliseconds
  }

  add(amount: number, now: number): void {
    this.#roll(now)
    this.#running += amount
  }

  /** The approximate sum of the amounts added during the last window. */
  sum(now: number): number {
    this.#roll(now)
    const elapsed = now / this.#windowMilliseconds - this.#window
    return this.#running + this.#before * (1 - elapsed)
  }

  reset(): void {
    this.#running = 0
    this.#before = 0
  }

  #roll(now: number): void {
    const window = Math.floor(now / this.#windowMilliseconds)
    if (window === this.#window) return
    this.#before = window === this.#window + 1 ? this.#running : 0
    this.#running = 0
    this.#window = window
  }
}
