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
  /** The latest answer, which may be of an earlier time. */
  last: { readonly answer: unknown } | undefined
}

/** Options of `KeptAnswers`. */
export interface KeptAnswersOptions {
  /** More than are asked for together: otherwise each of them would be forgotten before it is asked for again. */
  readonly maxEntries?: number
  /** Whether an error says that the endpoint is lost. The latest answer then stands for the missing one. */
  readonly isLost?: (error: unknown) => boolean
}

/**
 * Answers that are asked for again only after a time. Open pages ask every second, and requests to CloudWatch cost money.
 * A failure is kept as well, but for seconds at first, and for twice as long after each further one.
 */
export class KeptAnswers {
  readonly #clock: Clock
  readonly #maxEntries: number
  readonly #isLost: (error: unknown) => boolean
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock, { maxEntries = MAX_ENTRIES, isLost = () => false }: KeptAnswersOptions = {}) {
    this.#clock = clock
    this.#maxEntries = maxEntries
    this.#isLost = isLost
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
    const asked = ask()
    const answer = asked.catch((error: unknown) => {
      if (this.#isLost(error) && entry.last !== undefined) return entry.last.answer
      throw error
    })
    const entry: Entry = {
      until: now + milliseconds,
      answer,
      failures: known?.failures ?? 0,
      last: known?.last,
    }
    // Its failure belongs to each of those who asked.
    answer.catch(() => undefined)
    asked.then(
      (found) => {
        entry.failures = 0
        entry.last = { answer: found }
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
    for (const entry of this.#entries.values()) if (entry.failures > 0) entry.until = Number.NEGATIVE_INFINITY
  }
}
