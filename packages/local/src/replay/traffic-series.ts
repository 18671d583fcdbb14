import { type JsonObject, membersOf } from './members-of.js'
import type { ReplaySeries } from './replay-report.js'
import type { AnsweredRequest } from './traffic.js'

/** A chart has no use for more. */
const MAX_STEPS = 3_600

/** Counts requests by time. Each member of a batch or transaction counts as one. */
export class TrafficSeries {
  readonly #offered: number[] = []
  readonly #throttled: number[] = []

  /** @param seconds since the first request */
  add(seconds: number, { operation, request, outcome, refusals }: AnsweredRequest): void {
    const second = Math.max(0, Math.floor(seconds))
    const members = [...membersOf(operation, request as JsonObject).values()].reduce(
      (sum, count) => sum + count,
      0,
    )
    // A batch succeeds when any of its members does.
    const throttled =
      outcome === 'ok' ? Math.min(members, refusals.length) : refusals.length > 0 ? members : 0
    this.#offered[second] = (this.#offered[second] ?? 0) + members
    if (throttled > 0) this.#throttled[second] = (this.#throttled[second] ?? 0) + throttled
  }

  /** Requests per second. A long trace has longer steps. */
  get series(): ReplaySeries {
    const seconds = this.#offered.length
    const stepSeconds = Math.max(1, Math.ceil(seconds / MAX_STEPS))
    const steps = Math.ceil(seconds / stepSeconds)
    const summed = (counts: readonly number[]) =>
      Array.from({ length: steps }, (_, step) => {
        let sum = 0
        for (let at = step * stepSeconds; at < (step + 1) * stepSeconds; at++) sum += counts[at] ?? 0
        return sum / stepSeconds
      })
    return { stepSeconds, offered: summed(this.#offered), throttled: summed(this.#throttled) }
  }
}
