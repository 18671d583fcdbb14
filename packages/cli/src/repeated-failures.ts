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
  more: number
}

/** Reports failures: the first of equal ones at once, and further ones ten seconds later, with how many there were. */
export class RepeatedFailures {
  readonly #clock: Clock
  readonly #report: (failure: Failure, more: number) => void
  readonly #reported = new Map<string, Reported>()
  readonly #ended = new AbortController()
  #isWaiting = false

  /** @param report is given a failure, and how many equal ones there were besides it */
  constructor(clock: Clock, report: (failure: Failure, more: number) => void) {
    this.#clock = clock
    this.#report = report
  }

  add(failure: Failure): void {
    const text = `${failure.operation} ${failure.message}`
    const now = this.#clock.now()
    const before = this.#reported.get(text)
    if (before === undefined || (before.more === 0 && dueOf(before) <= now)) {
      this.#report(failure, 0)
      this.#remember(text, { failure, at: now, more: 0 })
      return
    }
    before.more++
    if (!this.#isWaiting) void this.#reportLater()
  }

  /** Reports those that were only counted. */
  end(): void {
    this.#ended.abort()
    while (this.#reported.size > 0) this.#forgetFirst()
  }

  /** One wait for all texts: each wait listens to the signal, and texts may come and go by the thousand. */
  async #reportLater(): Promise<void> {
    this.#isWaiting = true
    for (let due = this.#nextDue(); due !== undefined; due = this.#nextDue()) {
      const wait = this.#clock.sleep(due - this.#clock.now(), this.#ended.signal, { mayEndProcess: true })
      await wait.catch(() => undefined)
      if (this.#ended.signal.aborted) return
      this.#reportDue(this.#clock.now())
    }
    this.#isWaiting = false
  }

  /** When the next report of counted failures is due, if there are any. */
  #nextDue(): number | undefined {
    const counted = [...this.#reported.values()].filter(({ more }) => more > 0)
    return counted.length === 0 ? undefined : Math.min(...counted.map(dueOf))
  }

  #reportDue(now: number): void {
    for (const [text, reported] of [...this.#reported]) {
      if (reported.more === 0 || dueOf(reported) > now) continue
      this.#report(reported.failure, reported.more - 1)
      this.#remember(text, { failure: reported.failure, at: now, more: 0 })
    }
  }

  /** The latest are at the end. */
  #remember(text: string, reported: Reported): void {
    this.#reported.delete(text)
    this.#reported.set(text, reported)
    if (this.#reported.size > MAX_TEXTS) this.#forgetFirst()
  }

  #forgetFirst(): void {
    for (const [text, { failure, more }] of this.#reported) {
      this.#reported.delete(text)
      if (more > 0) this.#report(failure, more - 1)
      return
    }
  }
}

function dueOf({ at }: Reported): number {
  return at + INTERVAL_MILLISECONDS
}
