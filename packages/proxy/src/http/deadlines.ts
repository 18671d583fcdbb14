import type { Clock } from '@isotherm/runtime'

interface Running {
  readonly until: number
  readonly onLate: () => void
}

/** Ends what takes too long. All have the same limit, so they end in the order in which they began, and one timer is enough. */
export class Deadlines {
  readonly #clock: Clock
  readonly #milliseconds: number
  readonly #running = new Set<Running>()
  #isWaiting = false

  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock
    this.#milliseconds = milliseconds
  }

  /** @returns a function that ends the wait */
  begin(onLate: () => void): () => void {
    const running = { until: this.#clock.now() + this.#milliseconds, onLate }
    this.#running.add(running)
    if (!this.#isWaiting) this.#wait()
    return () => this.#running.delete(running)
  }

  async #wait(): Promise<void> {
    this.#isWaiting = true
    for (let [oldest] = this.#running; oldest !== undefined; [oldest] = this.#running) {
      await this.#clock.sleep(Math.max(0, oldest.until - this.#clock.now()), undefined, {
        mayEndProcess: true,
      })
      this.#end()
    }
    this.#isWaiting = false
  }

  #end(): void {
    for (const running of this.#running) {
      if (running.until > this.#clock.now()) return
      this.#running.delete(running)
      running.onLate()
    }
  }
}
