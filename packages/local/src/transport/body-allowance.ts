import { ServiceError } from '../errors/service-error.js'

/** Enough for 16 of the largest requests at a time, and for thousands of ordinary ones. */
const MAX_BYTES_OF_ALL_BODIES = 256 * 1024 * 1024

/**
 * The memory that all request bodies of an endpoint may take together, until each request has been answered. Without a
 * limit, clients that send large bodies slowly could take all memory.
 */
export class BodyAllowance {
  readonly #maxBytes: number
  readonly #held = new Map<object, number>()
  #bytes = 0

  constructor(maxBytes = MAX_BYTES_OF_ALL_BODIES) {
    this.#maxBytes = maxBytes
  }

  /**
   * @param request holds the bytes until it is released.
   * @returns whether there was room. Otherwise nothing is taken.
   */
  take(request: object, bytes: number): boolean {
    if (this.#bytes + bytes > this.#maxBytes) return false
    this.#bytes += bytes
    this.#held.set(request, (this.#held.get(request) ?? 0) + bytes)
    return true
  }

  /** Gives back all that a request has taken, if anything. */
  release(request: object): void {
    this.#bytes -= this.#held.get(request) ?? 0
    this.#held.delete(request)
  }

  /** The error for a request whose body has no room. Clients retry it. */
  refusal(): ServiceError {
    const message = `The requests in progress hold ${this.#maxBytes} bytes together, which is the limit of this endpoint. Retry later.`
    return new ServiceError('ServiceUnavailable', message, {}, 503)
  }
}
