import { SeededRandom } from '@isotherm/runtime'
import { ProcessClock } from './process-clock.js'
import type { Scheduler } from './scheduler.js'
import { chanceFor } from './seeds.js'

export interface ProcessOptions {
  readonly name: string
  readonly seed: number
  readonly rate: number
  readonly calendarOffset: number
}

/** The purpose of a process's chance: others are for a world. */
const RETRIES = 1

/**
 * One process of an application. Everything that reaches it from the world goes through `deliver`, so that it can be held up
 * and then continue with what it knew, or end at any moment.
 */
export class Process {
  readonly name: string
  readonly clock: ProcessClock
  readonly random: SeededRandom
  /** Of the waits between attempts: apart, so that they do not depend on what else the process draws. */
  readonly retryRandom: SeededRandom
  readonly #scheduler: Scheduler
  #pausedUntil = Number.NEGATIVE_INFINITY
  readonly #onCrash = new Set<() => void>()
  isAlive = true

  constructor(scheduler: Scheduler, { name, seed, rate, calendarOffset }: ProcessOptions) {
    this.name = name
    this.random = new SeededRandom(seed)
    this.retryRandom = chanceFor(seed, RETRIES)
    this.#scheduler = scheduler
    this.clock = new ProcessClock(scheduler, { rate, calendarOffset }, (at, resolve) =>
      scheduler.at(at, () => this.deliver(resolve)),
    )
  }

  /** Runs something in the process: now, or when its pause is over, or never, if it has crashed. */
  deliver(run: () => void): void {
    if (!this.isAlive) return
    if (this.#scheduler.now() >= this.#pausedUntil) run()
    else this.#scheduler.at(this.#pausedUntil, () => this.deliver(run))
  }

  /** Nothing happens in the process for so long. Requests that it has sent still arrive. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#scheduler.now() + milliseconds)
  }

  crash(): void {
    this.isAlive = false
    for (const happen of this.#onCrash) happen()
  }

  /** For a watcher outside of the process, which looks at what the process has left behind. */
  whenCrashed(happen: () => void): void {
    this.#onCrash.add(happen)
  }

  notWhenCrashed(happen: () => void): void {
    this.#onCrash.delete(happen)
  }
}
