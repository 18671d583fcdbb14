import type { Clock } from '@isotherm/runtime'
import type { AnyCommand } from '../sdk/physical-client.js'
import { type Throttle, throttleOf } from '../sdk/throttle.js'
import { withoutLogCopies } from '../sdk/without-log-copies.js'
import { LateAttempt } from './attempt-deadline.js'
import { metadataOf } from './summed-metadata.js'

/**
 * Carries a throttle, or an attempt that was not sent, past the SDK's retries. Its name and members do not look like a throttle
 * to the SDK, so the SDK neither waits nor takes tokens from its retry budget. All keys of the client share that budget, and one
 * hot key would empty it.
 */
export class StoppedAttempt extends Error {
  override readonly name = 'IsothermAttempt'
  /** `undefined` if the view of the shard map had expired. Not stored in `cause`: the SDK looks for retryable errors there too. */
  readonly throttle: Throttle | undefined

  constructor(throttle?: Throttle) {
    super(throttle?.error.message)
    this.throttle = throttle
  }
}

/** Records attempts without a response. */
export interface UnansweredLog {
  /** The last error that is not a refusal. The attempt may have taken effect anyway. */
  unanswered: unknown
}

/** One request to one or more shards. */
export interface ShardRequest {
  readonly command: AnyCommand
  readonly clock: Clock
  /** The time, in milliseconds of the clock as in a ShardView, from which no attempt is sent. */
  readonly validUntil: number
  /** `lateRequests` of a request that writes: an attempt without a response is aborted. Omitted for one that may come at any time. */
  readonly lateMilliseconds?: number | undefined
  /** Omitted if it does not matter whether an attempt without a response took effect. */
  readonly log?: UnansweredLog | undefined
}

/** The deadline of the attempts of one request. */
export interface GuardedDeadline {
  /** Called before each attempt. @returns what to call when the attempt has ended */
  begin(): (() => void) | undefined
  /** Whether an attempt that was aborted had no response at the deadline. */
  isOver(): boolean
}

type Handler = (args: unknown) => Promise<unknown>

interface Stack {
  add(middleware: (next: Handler, context: object) => Handler, options: object): void
}

/**
 * Adds a middleware below the SDK's retries that checks every attempt of the command. The retries hide throttling from the code
 * above them. They also wait between attempts, so only here is it known whether the view is still valid when an attempt is sent.
 *
 * @param deadline when an attempt without a response is aborted
 */
export function guardAttempts(
  { command, clock, validUntil, log }: ShardRequest,
  deadline?: GuardedDeadline,
): void {
  const stack = command.middlewareStack as unknown as Stack
  stack.add(
    (next, context) => {
      withoutLogCopies(context)
      // Not an async function, because every attempt pays for its promises.
      return (args) => {
        // mark: view-has-an-end
        if (clock.now() >= validUntil) return Promise.reject(new StoppedAttempt())
        const end = deadline?.begin()
        const answer = next(args).catch((error: unknown) =>
          failed(isAbort(error) && deadline?.isOver() === true ? new LateAttempt() : error, log),
        )
        return end === undefined ? answer : answer.finally(end)
      }
    },
    // The SDK retries at the beginning of this step and signs after that, so a middleware at its end runs for each attempt.
    { step: 'finalizeRequest', priority: 'low', name: 'IsothermAttempt' },
  )
}

/** The SDK's error for an aborted request does not contain the reason. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function failed(error: unknown, log: UnansweredLog | undefined): never {
  const throttle = throttleOf(error)
  if (throttle !== undefined) throw new StoppedAttempt(throttle)
  // A 4xx status is a refusal: nothing was written.
  const status = metadataOf(error)?.httpStatusCode ?? 0
  if (log !== undefined && (status < 400 || status >= 500)) log.unanswered = error
  throw error
}
