import { accountFor, type RequestAccount } from '../capacity/request-account.js'
import { ServiceError } from '../errors/service-error.js'
import type { Awaitable } from '../storage/storage.js'

/** A request as it came in. */
export interface BegunRequest {
  /** When it came, on the engine's clock. */
  readonly at: number
  readonly region: string
  readonly operation: string
  /** As the client gave it. It may be the client's own: read it, do not keep it. */
  readonly input: unknown
}

/** A request and what became of it. */
export interface ObservedRequest extends BegunRequest {
  /** Its place in the order in which requests came, from 0. */
  readonly number: number
  /** `ok`, or the name of the error it was answered with. */
  readonly outcome: string
  readonly account: RequestAccount
}

/** Who wants to know of requests. */
export interface RequestObserver {
  /** A number for a request that has come in. */
  begin(): number
  onRequest(request: ObservedRequest): void
}

/**
 * Does the work of a request, and tells of it when it is answered.
 * @param work gives an answer, or the service's refusal
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
