import type { Clock } from '@isotherm/runtime'

/** Spans and pages that are looked at together. */
const MAX_ENTRIES = 200

/** A lost connection or a throttle is over within seconds. */
const FAILURE_MILLISECONDS = 2_000
/** A missing permission is given by a person, who then looks at the page. */
const MAX_FAILURE_MILLISECONDS = 60_000

interface Entry {
  until: number
  readonly answer: Promise<unknown>
  /** How often in a row the question failed. */
  failures: number
}

/**
 * Answers that are asked for again only after a time. Open pages ask every second, and requests to CloudWatch cost money.
 * A failure is kept as well, but for seconds at first, and for twice as long after each further one.
 */
export class KeptAnswers {
  readonly #clock: Clock
  readonly #maxEntries: number
  readonly #entries = new Map<string, Entry>()

  /** @param maxEntries more than are asked for together: otherwise each of them would be forgotten before it is asked for again */
  constructor(clock: Clock, maxEntries: number = MAX_ENTRIES) {
    this.#clock = clock
    this.#maxEntries = maxEntries
  }

  /** @param failureMilliseconds how long the first failure is kept; longer where the question costs capacity of a table that may be throttled */
  get<Of>(
    question: string,
    milliseconds: number,
    ask: () => Promise<Of>,
    failureMilliseconds: number = FAILURE_MILLISECONDS,
  ): Promise<Of> {
    const now = this.#clock.now()
    const known = this.#entries.get(question)
    if (known !== undefined && known.until > now) return known.answer as Promise<Of>
    const entry: Entry = { until: now + milliseconds, answer: ask(), failures: known?.failures ?? 0 }
    // Its failure belongs to each of those who asked.
    entry.answer.then(
      () => {
        entry.failures = 0
      },
      () => {
        const pause = Math.min(failureMilliseconds * 2 ** entry.failures++, MAX_FAILURE_MILLISECONDS)
        entry.until = this.#clock.now() + Math.min(milliseconds, pause)
      },
    )
    this.#entries.delete(question)
    this.#entries.set(question, entry)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#maxEntries && oldest !== undefined) this.#entries.delete(oldest)
    return entry.answer as Promise<Of>
  }

  /** Asks again for what failed, at the next look: its cause is over. */
  forgetFailures(): void {
    for (const [question, { failures }] of this.#entries) if (failures > 0) this.#entries.delete(question)
  }
}
