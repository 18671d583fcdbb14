import type { Connection } from '@isotherm/local'
import { type Clock, type Random, randomInteger } from '@isotherm/runtime'

/** Shares of attempts. */
export interface LinkFaults {
  /** They never arrive. */
  readonly lostRequests: number
  /** The service carries them out, and the answer never arrives. */
  readonly lostReplies: number
}

/** How long a client waits for an answer. */
const TIMEOUT_MILLISECONDS = 400
const MAX_DELAY_MILLISECONDS = 12

/** The network between one process and the engine: it takes time, loses requests and answers, and breaks when the process ends. */
export class UnreliableLink {
  readonly lost = { requests: 0, replies: 0 }
  readonly #connection: Connection
  readonly #clock: Clock
  readonly #random: Random
  readonly #faults: LinkFaults
  #isCut = false

  constructor(connection: Connection, clock: Clock, random: Random, faults: LinkFaults) {
    this.#connection = connection
    this.#clock = clock
    this.#random = random
    this.#faults = faults
  }

  /** What is on its way arrives. Its answers, and what is sent later, are lost with the process. */
  cut(): void {
    this.#isCut = true
  }

  /** Settings of a client whose requests go over this link. */
  connection(): Connection {
    const inner = this.#connection.requestHandler
    const send = inner.handle.bind(inner) as (...request: readonly unknown[]) => Promise<unknown>
    const handle = async (...request: readonly unknown[]) => {
      await this.#delay()
      const draw = this.#random.next()
      if (draw < this.#faults.lostRequests) {
        this.lost.requests += 1
        return this.#timeOut()
      }
      const answered = await send(...request)
      if (draw < this.#faults.lostRequests + this.#faults.lostReplies) {
        this.lost.replies += 1
        return this.#timeOut()
      }
      await this.#delay()
      return answered
    }
    // The handler has methods on its prototype, so it is not copied.
    return { ...this.#connection, requestHandler: Object.assign(Object.create(inner), { handle }) }
  }

  async #delay(): Promise<void> {
    await this.#clock.sleep(randomInteger(this.#random, 1, MAX_DELAY_MILLISECONDS))
    if (this.#isCut) throw Object.assign(new Error('The process has ended.'), { code: 'ECONNREFUSED' })
  }

  async #timeOut(): Promise<never> {
    await this.#clock.sleep(TIMEOUT_MILLISECONDS)
    throw Object.assign(new Error('The request was not answered in time.'), { name: 'TimeoutError' })
  }
}
