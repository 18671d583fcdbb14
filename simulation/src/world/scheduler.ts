import { onNextTurns } from '@isotherm/runtime'
import TinyQueue from 'tinyqueue'

interface Step {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** Steps that one turn of the event loop makes: a turn costs ten times what a step does. */
const STEPS_A_TURN = 256

/**
 * One line of time for everything in a simulated world: steps are made in the order of their times, and equal times in the
 * order they were planned, each after every promise of the one before has come to rest.
 *
 * Like `VirtualClock` of the runtime, but for worlds of millions of steps: it makes many of them in one turn of the event
 * loop, since Node lets promises come to rest between any two immediates.
 */
export class Scheduler {
  readonly #steps = new TinyQueue<Step>([], (a, b) => a.at - b.at || a.order - b.order)
  #now: number
  #order = 0
  #isStopped = false

  constructor(startsAt: number) {
    this.#now = startsAt
  }

  now(): number {
    return this.#now
  }

  /** Steps that were made so far. */
  steps = 0

  at(time: number, run: () => void): void {
    this.#steps.push({ at: Math.max(time, this.#now), order: this.#order++, run })
  }

  after(milliseconds: number, run: () => void): void {
    this.at(this.#now + milliseconds, run)
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve))
  }

  /** Makes no further step; `run` returns. */
  stop(): void {
    this.#isStopped = true
  }

  /** Goes on after a stop. */
  resume(): void {
    this.#isStopped = false
  }

  /** Makes every step up to a time, in a loop that others may stop. @throws what a step throws */
  run(until: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = (): boolean => {
        const next = this.#steps.peek()
        if (this.#isStopped || next === undefined || next.at > until) {
          this.#now = this.#isStopped ? this.#now : Math.max(this.#now, until)
          resolve()
          return false
        }
        this.#steps.pop()
        this.#now = next.at
        this.steps += 1
        try {
          next.run()
        } catch (error) {
          reject(error)
          return false
        }
        return true
      }
      onNextTurns(STEPS_A_TURN, step)
    })
  }
}
