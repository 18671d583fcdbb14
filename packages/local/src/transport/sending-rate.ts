import type { Clock } from '@isotherm/runtime'

/**
 * Factors and rates of the SDK's adaptive mode:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
const KEPT_WHEN_THROTTLED = 0.7
const GROWTH = 0.4
const LEAST_PER_SECOND = 0.5
const LEAST_BURST = 1
const NEWEST_SHARE = 0.8
const MEASURED_SECONDS = 0.5

/**
 * The sending rate of an SDK client in adaptive mode. It is unlimited until the first throttle. Then each throttle
 * lowers it, and each success raises it, as a cubic function of the time since the throttle. It is one rate for the
 * whole client, for all tables and keys.
 */
export class SendingRate {
  readonly #clock: Clock
  #isLimited = false
  #perSecond = LEAST_PER_SECOND
  #burst = LEAST_BURST
  #tokens = 0
  #filledAt: number | undefined
  /** The rate before the last throttle, and when that was. */
  #highest = 0
  #throttledAt: number
  /** The recent rate of requests per second. */
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
      // Rounded up to whole milliseconds, because a rounding remainder could be shorter than the clock's resolution.
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
