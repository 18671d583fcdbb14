import type { Clock } from '@isotherm/runtime'

/** The clock of work that nobody waits for. The process may end while it sleeps. */
export class BackgroundClock implements Clock {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(milliseconds, signal, { mayEndProcess: true })
  }
}
