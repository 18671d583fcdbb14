import type { Clock } from '@isotherm/runtime'

interface Flight<T> {
  readonly work: Promise<T>
  readonly joinedUntil: number
}

/** Work that is under way, by name. Who needs the same joins it instead of starting it again. */
export class Flights<T> {
  readonly #clock: Pick<Clock, 'now'>
  readonly #milliseconds: number
  readonly #flights = new Map<string, Flight<T>>()

  /** @param milliseconds how long work is joined after its start. Later it may be without an end, and is started again. */
  constructor(clock: Pick<Clock, 'now'>, milliseconds: number) {
    this.#clock = clock
    this.#milliseconds = milliseconds
  }

  /** The work of that name that can be joined. */
  under(name: string): Promise<T> | undefined {
    const flight = this.#flights.get(name)
    return flight !== undefined && this.#clock.now() < flight.joinedUntil ? flight.work : undefined
  }

  /** Starts work unless that of its name can be joined. */
  join(name: string, start: () => Promise<T>): Promise<T> {
    const under = this.under(name)
    if (under !== undefined) return under
    const work = start().finally(() => {
      if (this.#flights.get(name) === flight) this.#flights.delete(name)
    })
    const flight: Flight<T> = { work, joinedUntil: this.#clock.now() + this.#milliseconds }
    this.#flights.set(name, flight)
    return work
  }
}
