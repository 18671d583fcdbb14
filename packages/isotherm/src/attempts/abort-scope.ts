import { allowManyListeners } from '@isotherm/runtime'
import { abortError } from '../sdk/abort-error.js'

/**
 * One abort signal for all requests of a query. It aborts when the signal of the caller or of the client aborts. It also aborts
 * when one request fails, so that the other requests stop. `AbortSignal.any` is not used, because its listeners would stay on the
 * signal of the client until the client is discarded.
 */
export class AbortScope {
  readonly #controller = new AbortController()
  readonly #parents: readonly AbortSignal[]
  readonly #onAbort = (event: Event) => {
    const { reason } = event.target as AbortSignal
    this.#controller.abort(reason)
    this.#giveUp(reason)
  }
  /** Stops waiting for the work. */
  #giveUp: (reason: unknown) => void = () => {}

  constructor(parents: readonly (AbortSignal | undefined)[]) {
    this.#parents = parents.filter((parent) => parent !== undefined)
    // Every request to a shard adds a listener.
    allowManyListeners(this.signal)
    for (const parent of this.#parents) {
      if (parent.aborted) this.#controller.abort(parent.reason)
      else parent.addEventListener('abort', this.#onAbort, { once: true })
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /**
   * Returns the result of the work. If the signal aborts, throws immediately, even if the work is still waiting.
   * @param work should stop when the signal aborts; its later result is ignored
   * @throws the SDK's error for an aborted request; the error of the work
   */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { signal } = this
      const fail = (error: unknown) => {
        this.leave()
        reject(error)
        this.#controller.abort(error)
      }
      if (signal.aborted) return fail(abortError(signal.reason))
      this.#giveUp = (reason) => fail(abortError(reason))
      work().then((result) => {
        this.leave()
        resolve(result)
      }, fail)
    })
  }

  /** Stops listening to the signals. */
  leave(): void {
    for (const parent of this.#parents) parent.removeEventListener('abort', this.#onAbort)
  }
}
