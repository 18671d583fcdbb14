import type { Clock } from '@isotherm/runtime'

/** The end of the head of every response: the time, and how long an idle connection is kept. */
export class LastHeaders {
  readonly #clock: Clock
  readonly #keepAlive: string
  #second = Number.NaN
  #lines = ''

  constructor(clock: Clock, idleMilliseconds: number) {
    this.#clock = clock
    const idleSeconds = Math.floor(idleMilliseconds / 1000)
    this.#keepAlive = idleSeconds === 0 ? '' : `keep-alive: timeout=${idleSeconds}\r\n`
  }

  /** The lines, with the empty one at the end. Formatted once per second. */
  get lines(): string {
    const second = Math.floor(this.#clock.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#lines = `date: ${new Date(second * 1000).toUTCString()}\r\n${this.#keepAlive}\r\n`
    }
    return this.#lines
  }
}
