import type { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { type Throttle, throttleOf } from '../sensing/throttle.js'

/**
 * A throttle on its way past the SDK's retries. By its name and members the SDK does not take it for one, so it neither
 * waits nor takes tokens from the retry budget, which belongs to the whole client: one hot key would empty it for all.
 */
export class ThrottledAttempt extends Error {
  override readonly name = 'IsothermThrottledAttempt'
  /** Not as `cause`: the SDK looks for retryable errors there too. */
  readonly throttle: Throttle
  /** Set by the SDK: how many attempts it made, with its own retries of broken connections. */
  declare $metadata?: { attempts?: number }

  constructor(throttle: Throttle) {
    super(`A write was throttled and is tried on another shard: ${throttle.error.message}`)
    this.throttle = throttle
  }
}

/** What is known of the attempts of one write. */
export interface AttemptLog {
  /** An attempt had no answer, or a 5xx: its item may be written all the same. */
  mayBeWritten: boolean
}

/** Watches every attempt of the command below the SDK's retries, which hide throttling from anything above them. */
export function guardThrottles(command: PutItemCommand, log: AttemptLog): void {
  command.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        const throttle = throttleOf(error)
        if (throttle !== undefined) throw new ThrottledAttempt(throttle)
        if (!isRefusal(error)) log.mayBeWritten = true
        throw error
      }
    },
    // Retries stand at the beginning of this step, signing after them, so the end of it sees each attempt.
    { step: 'finalizeRequest', priority: 'low', name: 'isothermThrottleGuard' },
  )
}

/** A 4xx is a refusal: nothing was written. */
function isRefusal(error: unknown): boolean {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined
  const status = (metadata as { readonly httpStatusCode?: number } | undefined)?.httpStatusCode ?? 0
  return status >= 400 && status < 500
}
