import type { Clock } from '@isotherm/runtime'
import type { AnyCommand } from '../sdk/physical-client.js'
import { type Throttle, throttleOf } from '../sdk/throttle.js'
import { metadataOf } from './summed-metadata.js'

/**
 * A throttle, or an attempt that was not sent, on its way past the SDK's retries. By its name and members the SDK does not take
 * it for a throttle, so it neither waits nor takes tokens from the retry budget, which belongs to the whole client: one hot key
 * would empty it for all.
 */
export class StoppedAttempt extends Error {
  override readonly name = 'IsothermAttempt'
  /** `undefined` where the view of the shard map had expired. Not as `cause`: the SDK looks for retryable errors there too. */
  readonly throttle: Throttle | undefined

  constructor(throttle?: Throttle) {
    super(throttle?.error.message)
    this.throttle = throttle
  }
}

/** What is known of attempts that were not answered. */
export interface UnansweredLog {
  /** The last error that is no refusal: what its attempt asked for may have been done all the same. */
  unanswered: unknown
}

/** One request to one or more shards. */
export interface ShardRequest {
  readonly command: AnyCommand
  readonly clock: Clock
  /** Milliseconds of the clock, as in a ShardView: no attempt is sent from then on. */
  readonly validUntil: number
  /** Left out where it does not matter whether an attempt without an answer was carried out. */
  readonly log?: UnansweredLog | undefined
}

type Handler = (args: unknown) => Promise<unknown>

interface Stack {
  add(middleware: (next: Handler) => Handler, options: object): void
}

/**
 * Watches every attempt of the command below the SDK's retries. They hide throttling from anything above them, and they
 * wait, so that only here it is known whether an attempt leaves while its view still holds.
 */
export function guardAttempts({ command, clock, validUntil, log }: ShardRequest): void {
  const stack = command.middlewareStack as unknown as Stack
  stack.add(
    (next) => async (args) => {
      // mark: view-has-an-end
      if (clock.now() >= validUntil) throw new StoppedAttempt()
      try {
        return await next(args)
      } catch (error) {
        const throttle = throttleOf(error)
        if (throttle !== undefined) throw new StoppedAttempt(throttle)
        // A 4xx is a refusal: nothing was written.
        const status = metadataOf(error)?.httpStatusCode ?? 0
        if (log !== undefined && (status < 400 || status >= 500)) log.unanswered = error
        throw error
      }
    },
    // Retries stand at the beginning of this step, signing after them, so the end of it sees each attempt.
    { step: 'finalizeRequest', priority: 'low', name: 'isothermAttemptGuard' },
  )
}
