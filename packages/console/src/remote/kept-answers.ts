import type { Clock } from '@isotherm/runtime'

/** Spans and pages that are looked at together. */
const MAX_ENTRIES = 200

interface Entry {
  readonly until: number
  readonly answer: Promise<unknown>
}

/**
 * Answers that are asked for again only after a time. Open pages ask every second, and requests to CloudWatch cost money.
 * A failure is kept as well, because a missing permission does not appear within a second.
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

  get<Of>(question: string, milliseconds: number, ask: () => Promise<Of>): Promise<Of> {
    const now = this.#clock.now()
    const known = this.#entries.get(question)
    if (known !== undefined && known.until > now) return known.answer as Promise<Of>
    const answer = ask()
    // Its failure belongs to each of those who asked.
    answer.catch(() => undefined)
    this.#entries.delete(question)
    this.#entries.set(question, { until: now + milliseconds, answer })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#maxEntries && oldest !== undefined) this.#entries.delete(oldest)
    return answer
  }
}
