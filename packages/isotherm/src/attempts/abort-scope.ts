import { setMaxListeners } from 'node:events'
import { abortError } from '../sdk/abort-error.js'

/**
 * One signal for all requests of a query: it aborts with the caller's, with the client, and when one of them has failed, so
 * that the others are not carried on for nothing. Not `AbortSignal.any`, whose listeners stay with a client's signal for as
 * long as the client lives.
 */
export class AbortScope {
  readonly #controller = new AbortController()
  readonly #parents: readonly AbortSignal[]
  readonly #onAbort = (event: Event) => {
    const { reason } = event.target as AbortSignal
    this.#controller.abort(reason)
    this.#giveUp(reason)
  }
  /** Ends the waiting for the work. */
  #giveUp: (reason: unknown) => void = () => {}

  constructor(parents: readonly (AbortSignal | undefined)[]) {
    this.#parents = parents.filter((parent) => parent !== undefined)
    // Every request to a shard listens, which is no leak.
    setMaxListeners(0, this.signal)
    for (const parent of this.#parents) {
      if (parent.aborted) this.#controller.abort(parent.reason)
      else parent.addEventListener('abort', this.#onAbort, { once: true })
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /**
   * The work's result, or at once the SDK's error of an aborted request, whatever the work is waiting for.
   * @param work is told to end by the signal; what it comes to after that is nobody's concern
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const { signal } = this
    if (signal.aborted) {
      this.#leave()
      throw abortError(signal.reason)
    }
    const aborted = new Promise<never>((_, reject) => {
      this.#giveUp = (reason) => reject(abortError(reason))
    })
    try {
      return await Promise.race([work(), aborted])
    } catch (error) {
      this.#controller.abort(error)
      throw error
    } finally {
      this.#leave()
    }
  }

  #leave(): void {
    for (const parent of this.#parents) parent.removeEventListener('abort', this.#onAbort)
  }
}
