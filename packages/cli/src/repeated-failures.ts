import type { Clock } from '@isotherm/runtime'

/** How often equal failures are reported. A line for each request of an outage would fill the disk and hide the others. */
const INTERVAL_MILLISECONDS = 10_000

/** Texts that are remembered. Those of one outage differ by their operation and table. */
const MAX_TEXTS = 100

/** A request of the proxy that failed. */
export interface Failure {
  readonly operation: string | undefined
  readonly message: string
}

interface Reported {
  readonly failure: Failure
  readonly at: number
  /** How many equal ones came since then. */
  readonly more: number
}

/** Reports failures: the first of equal ones at once, and further ones every ten seconds, with how many there were. */
export class RepeatedFailures {
  readonly #clock: Clock
  readonly #report: (failure: Failure, more: number) => void
  readonly #reported = new Map<string, Reported>()

  /** @param report is given a failure, and how many equal ones were not reported before it */
  constructor(clock: Clock, report: (failure: Failure, more: number) => void) {
    this.#clock = clock
    this.#report = report
  }

  add(failure: Failure): void {
    const text = `${failure.operation} ${failure.message}`
    const now = this.#clock.now()
    const before = this.#reported.get(text)
    if (before !== undefined && now - before.at < INTERVAL_MILLISECONDS) {
      this.#reported.set(text, { ...before, more: before.more + 1 })
      return
    }
    // The latest are at the end.
    this.#reported.delete(text)
    this.#reported.set(text, { failure, at: now, more: 0 })
    this.#report(failure, before?.more ?? 0)
    if (this.#reported.size > MAX_TEXTS) this.#forgetFirst()
  }

  /** Reports those that were only counted. */
  end(): void {
    while (this.#reported.size > 0) this.#forgetFirst()
  }

  #forgetFirst(): void {
    for (const [text, { failure, more }] of this.#reported) {
      this.#reported.delete(text)
      if (more > 0) this.#report(failure, more - 1)
      return
    }
  }
}
