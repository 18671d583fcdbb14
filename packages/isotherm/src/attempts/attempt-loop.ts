import type { ThrottleScope } from '../events/event.js'
import type { PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { guardAttempts, type ShardRequest, StoppedAttempt } from './attempt-guard.js'
import { type Outcome, STALE } from './outcome.js'
import { type AttemptMetadata, attemptsOf, type SummedMetadata } from './summed-metadata.js'

/** A request to unsharded tables keeps the SDK's own retries. */
export type UnshardedRequest = Pick<ShardRequest, 'command'>

/** An attempt that was refused, and may be accepted later. */
export interface Refusal {
  readonly error: Error
  /** As in a Throttle; `undefined` for a refusal that is not about capacity. */
  readonly reasons?: readonly string[]
}

/** Takes note of a throttle; `attempt` counts the refused ones of the call. @returns where it came from, if that is known */
export type OnThrottle = (reasons: readonly string[], attempt: number) => Promise<ThrottleScope | undefined>

/**
 * Waits before the next attempt, or does what else comes before it.
 * @returns the error that the application gets, where no time is left
 */
type BeforeNext = (error: Error, scope: ThrottleScope | undefined) => Promise<Error | undefined>

/** What a request may spend on refusals: an AttemptBudget, or those of several members together. */
export interface Spending {
  /** Adds up the attempts. */
  readonly metadata: SummedMetadata
  /**
   * @param attempts how many the SDK made up to the refusal, with its own retries of broken connections
   * @returns the error that the application gets, where no attempt is left
   */
  refused(refusal: Refusal, attempts: number, hooks: RefusalHooks): Promise<Error | undefined>
}

/** What a refusal calls for, besides a wait. */
export interface RefusalHooks {
  readonly onThrottle?: OnThrottle | undefined
  /** In place of the wait. */
  readonly beforeNext?: BeforeNext | undefined
}

/** How a request gets from attempt to attempt. */
export interface Course extends RefusalHooks {
  readonly budget: Spending
  /** What the next attempt sends: another request, or the same one again, since the SDK's commands are dear to make. */
  next(): ShardRequest | UnshardedRequest
  /** Which errors may pass by themselves, besides the throttles of guarded requests. */
  readonly refusalOf?: (error: unknown) => Refusal | undefined
}

/** What every answer of the SDK has. */
export interface Answer {
  readonly $metadata: AttemptMetadata
}

/**
 * Sends a request, again and again while it is refused. Every request that the library retries goes through this loop.
 * @throws the reason of an abort signal, and what the course throws
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
        // The attempt that was stopped is counted with those before it, and was not sent.
        metadata.attempts -= 1
        return STALE
      }
      const lastWord = await course.budget.refused(refusal, attempts, course)
      if (lastWord !== undefined) return { kind: 'refused', error: lastWord }
    }
  }
}
