import type { ThrottleScope } from '../events/event.js'
import type { PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { guardAttempts, type ShardRequest, StoppedAttempt } from './attempt-guard.js'
import { type Outcome, STALE } from './outcome.js'
import { type AttemptMetadata, attemptsOf, type SummedMetadata } from './summed-metadata.js'

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

/** The member that every output of the SDK has. */
export interface Answer {
  readonly $metadata: AttemptMetadata
}

/**
 * Sends a request, and retries it while it is refused. Every request that the library retries goes through this loop.
 * @throws the reason of an abort signal; the errors that the course throws
 */
export async function sendUntilAnswered<Output extends Answer>(
  client: PhysicalClient,
  options: SendOptions | undefined,
  course: Course,
): Promise<Outcome<Output>> {
  const { metadata } = course.budget
  let guarded: UnshardedRequest | undefined
  for (;;) {
    const request = course.next()
    if (request !== guarded && 'clock' in request) guardAttempts(request)
    guarded = request
    try {
      const output = (await client.send(request.command as never, options)) as unknown as Output
      metadata.add(output.$metadata)
      return { kind: 'answered', output }
    } catch (error) {
      const attempts = attemptsOf(error)
      metadata.attempts += attempts
      const isStopped = error instanceof StoppedAttempt
      const refusal = isStopped ? error.throttle : course.refusalOf?.(error)
      if (refusal === undefined) {
        if (!isStopped) return { kind: 'failed', error }
        // `attempts` includes the stopped attempt, which was not sent.
        metadata.attempts -= 1
        return STALE
      }
      const lastWord = await course.budget.refused(refusal, attempts, course)
      if (lastWord !== undefined) return { kind: 'refused', error: lastWord }
    }
  }
}
