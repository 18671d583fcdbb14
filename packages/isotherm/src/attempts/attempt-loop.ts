import type { ThrottleScope } from '../events/event.js'
import { abortError } from '../sdk/abort-error.js'
import type { PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { AbortScope } from './abort-scope.js'
import { attemptDeadline } from './attempt-deadline.js'
import { guardAttempts, type ShardRequest, StoppedAttempt } from './attempt-guard.js'
import { answered, type Outcome, STALE } from './outcome.js'
import { type AttemptMetadata, attemptsOf, metadataOf, type SummedMetadata } from './summed-metadata.js'

/** A request to unsharded tables. It keeps the SDK's own retries. */
export type UnshardedRequest = Pick<ShardRequest, 'command'>

/** A refused attempt that may succeed later. */
export interface Refusal {
  readonly error: Error
  /** The reasons of a Throttle; `undefined` for a refusal that is not about capacity. */
  readonly reasons?: readonly string[]
}

/** Records a throttle. `attempt` is the number of refused attempts of the call. @returns the scope of the throttle, if known */
export type OnThrottle = (reasons: readonly string[], attempt: number) => Promise<ThrottleScope | undefined>

/**
 * Prepares the next attempt, for example by waiting.
 * @returns the error for the application if no time is left
 */
type BeforeNext = (error: Error, scope: ThrottleScope | undefined) => Promise<Error | undefined>

/** The budget of a request for refusals: one AttemptBudget, or the budgets of several members together. */
export interface Spending {
  /** Sums the attempts. */
  readonly metadata: SummedMetadata
  /**
   * @param attempts how many attempts the SDK made up to the refusal, including its own retries of broken connections
   * @returns the error for the application if no attempt is left
   */
  refused(refusal: Refusal, attempts: number, hooks: RefusalHooks): Promise<Error | undefined>
}

/** Functions to call after a refusal. */
export interface RefusalHooks {
  readonly onThrottle?: OnThrottle | undefined
  /** Called instead of waiting. */
  readonly beforeNext?: BeforeNext | undefined
}

/** How to retry a request. */
export interface Course extends RefusalHooks {
  readonly budget: Spending
  /** Returns the request of the next attempt. It may be the same one again, because creating an SDK command is expensive. */
  next(): ShardRequest | UnshardedRequest
  /** Returns a refusal for each error that is worth retrying, besides the throttles of guarded requests. */
  readonly refusalOf?: (error: unknown) => Refusal | undefined
}

/** The member that every output of the SDK has, and those of mocks may lack. */
export interface Answer {
  readonly $metadata: AttemptMetadata
}

/**
 * Options of a request without any. With options, the SDK does not use a handler that it cached for the class of the
 * command (the client's `cacheMiddleware`), which would contain the guard of another request.
 */
const NO_OPTIONS: SendOptions = {}

/**
 * Sends a request, and retries it while it is refused. Every request that the library retries goes through this loop.
 *
 * A response to the first attempt is passed on with a single promise. With async functions throughout, the promises of a
 * call would be most of what the library adds to its cost.
 *
 * @throws the SDK's error for an aborted request, or the reason of the abort signal during a wait; the errors that the course throws, immediately if they concern the first attempt
 */
export function sendUntilAnswered<Output extends Answer>(
  client: PhysicalClient,
  options: SendOptions = NO_OPTIONS,
  course: Course,
): Promise<Outcome<Output>> {
  const request = course.next()
  const sending: Sending = { client, given: options, course, guarded: request }
  if ('clock' in request) guard(sending, request)
  return sent<Output>(sending).then(
    (output) => answeredBy(course, output),
    (error: unknown) => retried(sending, error),
  )
}

/** The options of one request, which get the deadline while an attempt is under way. */
type OwnOptions = Omit<SendOptions, 'abortSignal'> & { abortSignal?: AbortSignal | undefined }

/** A request that is being sent, with the last one that was given a guard. */
interface Sending {
  readonly client: PhysicalClient
  /** The options of the caller. */
  readonly given: SendOptions
  /** A copy for a request with a deadline. */
  own?: OwnOptions
  readonly course: Course
  guarded: UnshardedRequest
}

function guard(sending: Sending, request: ShardRequest): void {
  const { clock, validUntil, lateMilliseconds = 0 } = request
  // A fixed count has no view that ends.
  if (lateMilliseconds === 0 || validUntil === Number.POSITIVE_INFINITY) {
    guardAttempts(request)
    return
  }
  const { given } = sending
  const { abortSignal } = given
  const deadline = attemptDeadline(clock, validUntil, lateMilliseconds)
  // The SDK's retries must not see the deadline: it ends one attempt, not the request. They have read the options when the guard
  // runs. The request handler reads them afterwards.
  const options: OwnOptions = { ...given }
  sending.own = options
  guardAttempts(request, {
    begin: () => {
      if (abortSignal === undefined) {
        options.abortSignal = deadline
        return undefined
      }
      // Not AbortSignal.any: what it makes stays on the signal of the caller, which may live as long as the process.
      const scope = new AbortScope([abortSignal, deadline])
      options.abortSignal = scope.signal
      return () => scope.leave()
    },
    isOver: () => deadline.aborted && abortSignal?.aborted !== true,
  })
}

function sent<Output>({ client, given, own, guarded }: Sending): Promise<Output> {
  const { abortSignal } = given
  // The caller already has the error. Some request handlers ignore a signal that was aborted before they received it.
  if (abortSignal?.aborted) return Promise.reject(abortError(abortSignal.reason))
  try {
    // The attempt before has left its deadline.
    if (own !== undefined) own.abortSignal = given.abortSignal
    return client.send(guarded.command as never, (own ?? given) as SendOptions) as unknown as Promise<Output>
  } catch (error) {
    // The SDK throws immediately if middleware of the application does not fit into its stack.
    return Promise.reject(error)
  }
}

function answeredBy<Output extends Answer>({ budget }: Course, output: Output): Outcome<Output> {
  const known = metadataOf(output) === undefined ? { ...output, $metadata: {} } : output
  budget.metadata.add(known.$metadata)
  return answered(known)
}

async function retried<Output extends Answer>(sending: Sending, failure: unknown): Promise<Outcome<Output>> {
  const { course } = sending
  const { metadata } = course.budget
  let error = failure
  for (;;) {
    const attempts = attemptsOf(error)
    metadata.attempts += attempts
    metadata.waitedMilliseconds += metadataOf(error)?.totalRetryDelay ?? 0
    const stopped = error instanceof StoppedAttempt ? error : undefined
    const refusal = stopped === undefined ? course.refusalOf?.(error) : stopped.throttle
    if (refusal === undefined) {
      if (stopped === undefined) return { kind: 'failed', error }
      // `attempts` includes the stopped attempt, which was not sent.
      metadata.attempts -= 1
      return STALE
    }
    const lastWord = await course.budget.refused(refusal, attempts, course)
    if (lastWord !== undefined) return { kind: 'refused', error: lastWord }
    const request = course.next()
    if (request !== sending.guarded) {
      sending.guarded = request
      delete sending.own
      if ('clock' in request) guard(sending, request)
    }
    try {
      return answeredBy(course, await sent<Output>(sending))
    } catch (newer) {
      error = newer
    }
  }
}
