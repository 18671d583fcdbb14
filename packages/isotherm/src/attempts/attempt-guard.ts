import type { Clock } from '@isotherm/runtime'
import type { AnyCommand } from '../sdk/physical-client.js'
import { type Throttle, throttleOf } from '../sdk/throttle.js'

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
    super(`A request was throttled and is retried: ${throttle.error.message}`)
    this.throttle = throttle
  }
}

/** An attempt that was not sent, because what it was decided on is too old by now. */
export class StaleView extends Error {
  override readonly name = 'IsothermStaleView'
  /** As in ThrottledAttempt. */
  declare $metadata?: { attempts?: number }

  constructor() {
    super('The view of the shard map is too old.')
  }
}

/** What is known of the attempts of one call. */
export interface AttemptLog {
  /** The last error that is no refusal: what its attempt asked for may have been done all the same. */
  unanswered: unknown
}

/** Until when, and on whose clock, a request may be sent. */
export interface SendLimit {
  readonly clock: Clock
  /** Milliseconds of the clock, as in a ShardView. */
  readonly validUntil: number
}

type Handler = (args: unknown) => Promise<unknown>

interface Stack {
  add(middleware: (next: Handler) => Handler, options: object): void
}

/**
 * Watches every attempt of the command below the SDK's retries. They hide throttling from anything above them, and they
 * wait, so that only here it is known whether an attempt leaves while its view still holds.
 */
export function guardAttempts(command: AnyCommand, { clock, validUntil }: SendLimit, log: AttemptLog): void {
  const stack = command.middlewareStack as unknown as Stack
  stack.add(
    (next) => async (args) => {
      // mark: view-has-an-end
      if (clock.now() >= validUntil) throw new StaleView()
      try {
        return await next(args)
      } catch (error) {
        const throttle = throttleOf(error)
        if (throttle !== undefined) throw new ThrottledAttempt(throttle)
        if (!isRefusal(error)) log.unanswered = error
        throw error
      }
    },
    // Retries stand at the beginning of this step, signing after them, so the end of it sees each attempt.
    { step: 'finalizeRequest', priority: 'low', name: 'isothermAttemptGuard' },
  )
}

/** A 4xx is a refusal: nothing was written. */
function isRefusal(error: unknown): boolean {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined
  const status = (metadata as { readonly httpStatusCode?: number } | undefined)?.httpStatusCode ?? 0
  return status >= 400 && status < 500
}
