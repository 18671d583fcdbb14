import type { Clock } from '@isotherm/runtime'

/** Shares and rates of the SDK's adaptive mode: https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html */
const KEPT_WHEN_THROTTLED = 0.7
const GROWTH = 0.4
const LEAST_PER_SECOND = 0.5
const LEAST_BURST = 1
const NEWEST_SHARE = 0.8
const MEASURED_SECONDS = 0.5

/**
 * How fast a client of the SDK sends in adaptive mode: as fast as it likes until the first throttle; from then on less
 * after each throttle, and more again, as a cubic of the time since then, after each success. It is one rate for the
 * whole client, whatever tables and keys its requests are for.
 */
export class SendingRate {
  readonly #clock: Clock
  #isLimited = false
  #perSecond = LEAST_PER_SECOND
  #burst = LEAST_BURST
  #tokens = 0
  #filledAt: number | undefined
  /** What was sent before the last throttle, and when that was. */
  #highest = 0
  #throttledAt: number
  /** Requests a second, of late. */
  #measured = 0
  #answered = 0
  #measuredTo: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#throttledAt = this.#seconds
    this.#measuredTo = Math.floor(this.#seconds)
  }

  /** Resolves when the next request may be sent. */
  async turn(): Promise<void> {
    if (!this.#isLimited) return
    this.#fill()
    while (this.#tokens < 1) {
      // Whole milliseconds: what rounding leaves over could be less than the clock can tell.
      await this.#clock.sleep(Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1000))
      this.#fill()
    }
    this.#tokens -= 1
  }

  throttled(): void {
    this.#measure()
    const sent = this.#isLimited ? Math.min(this.#measured, this.#perSecond) : this.#measured
    this.#highest = sent
    this.#throttledAt = this.#seconds
    this.#isLimited = true
    this.#change(sent * KEPT_WHEN_THROTTLED)
  }

  succeeded(): void {
    this.#measure()
    const until = Math.cbrt((this.#highest * (1 - KEPT_WHEN_THROTTLED)) / GROWTH)
    this.#change(GROWTH * (this.#seconds - this.#throttledAt - until) ** 3 + this.#highest)
  }

  get #seconds(): number {
    return this.#clock.now() / 1000
  }

  #fill(): void {
    const now = this.#seconds
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - (this.#filledAt ?? now)) * this.#perSecond)
    this.#filledAt = now
  }

  #change(wanted: number): void {
    this.#fill()
    const perSecond = Math.min(wanted, 2 * this.#measured)
    this.#perSecond = Math.max(perSecond, LEAST_PER_SECOND)
    this.#burst = Math.max(perSecond, LEAST_BURST)
    this.#tokens = Math.min(this.#tokens, this.#burst)
  }

  #measure(): void {
    this.#answered++
    const to = Math.floor(this.#seconds / MEASURED_SECONDS) * MEASURED_SECONDS
    if (to <= this.#measuredTo) return
    const rate = this.#answered / (to - this.#measuredTo)
    this.#measured = rate * NEWEST_SHARE + this.#measured * (1 - NEWEST_SHARE)
    this.#answered = 0
    this.#measuredTo = to
  }
}
