import { accountFor, type RequestAccount } from '../capacity/request-account.js'
import { ServiceError } from '../errors/service-error.js'
import type { Awaitable } from '../storage/storage.js'

/** A request when it arrives. */
export interface BegunRequest {
  /** When it arrived, on the engine's clock. */
  readonly at: number
  readonly region: string
  readonly operation: string
  /** The request as the client sent it. It may be the client's own object: do not modify or keep it. */
  readonly input: unknown
}

/** A request with its result. */
export interface ObservedRequest extends BegunRequest {
  /** Its position in the order of arrival, from 0. */
  readonly number: number
  /** `ok`, or the name of the error in the response. */
  readonly outcome: string
  readonly account: RequestAccount
}

/** Observes requests. */
export interface RequestObserver {
  /** Returns the number of a request that has arrived. */
  begin(): number
  onRequest(request: ObservedRequest): void
}

/**
 * Executes a request, and reports it to the observer when it has been answered.
 * @param work returns the response, or the service's error
 */
export function observeRequest(
  begun: BegunRequest,
  observer: RequestObserver,
  work: () => Awaitable<object>,
): Awaitable<object> {
  const account: RequestAccount = { takes: [], refusals: [] }
  const number = observer.begin()
  const tell = (outcome: string) => observer.onRequest({ ...begun, number, outcome, account })
  const fail = (error: unknown): never => {
    tell(error instanceof Error ? error.name : 'Error')
    throw error
  }
  let result: Awaitable<object>
  try {
    result = accountFor(account, work)
  } catch (error) {
    return fail(error)
  }
  const succeed = (outcome: object) => {
    tell(outcome instanceof ServiceError ? outcome.name : 'ok')
    return outcome
  }
  return result instanceof Promise ? result.then(succeed, fail) : succeed(result)
}
