import { ServiceError } from '@isotherm/local/service'
import type { ProxyLimits } from './limits.js'

/** A request that was admitted. */
export interface Admitted {
  /**
   * Begins a body: as it was sent, or without its encoding.
   * @returns a function that accounts for its bytes before they are kept, and throws a ServiceError when they are too many
   */
  body(): (bytes: number) => void
  /** Gives everything back. It may be called twice. */
  release(): void
}

/** Counts the requests and their bodies, and refuses those above the limits. */
export class Admission {
  readonly #limits: ProxyLimits
  #requests = 0
  #bodyBytes = 0

  constructor(limits: ProxyLimits) {
    this.#limits = limits
  }

  get requests(): number {
    return this.#requests
  }

  get bodyBytes(): number {
    return this.#bodyBytes
  }

  /** @throws ServiceError `ServiceUnavailable`, which SDKs retry after a pause */
  admit(): Admitted {
    const { requests, bodyBytes, allBodiesBytes } = this.#limits
    if (this.#requests >= requests) {
      throw overloaded(`${requests} requests are in progress, the limit limits.requests of this proxy`)
    }
    this.#requests++
    let taken = 0
    let isOpen = true
    return {
      body: () => {
        let size = 0
        return (bytes) => {
          if (size + bytes > bodyBytes) throw tooLarge(bodyBytes)
          if (this.#bodyBytes + bytes > allBodiesBytes) {
            throw overloaded(
              `the requests in progress have ${this.#bodyBytes} bytes, and the limit limits.allBodiesBytes is ${allBodiesBytes}`,
            )
          }
          size += bytes
          taken += bytes
          this.#bodyBytes += bytes
        }
      },
      release: () => {
        if (!isOpen) return
        isOpen = false
        this.#requests--
        this.#bodyBytes -= taken
      },
    }
  }
}

function tooLarge(bodyBytes: number): ServiceError {
  const message = `isotherm: The request is larger than ${bodyBytes} bytes, the limit limits.bodyBytes of this proxy.`
  return new ServiceError('RequestEntityTooLargeException', message, {}, 413)
}

function overloaded(why: string): ServiceError {
  return new ServiceError('ServiceUnavailable', `isotherm: Try again later: ${why}.`, {}, 503)
}
