import type { AnyCommand } from '../sdk/physical-client.js'
import { throttleOf } from '../sdk/throttle.js'
import { withoutLogCopies } from '../sdk/without-log-copies.js'

type Handler = (args: unknown) => Promise<unknown>

interface Stack {
  add(middleware: (next: Handler, context: object) => Handler, options: object): void
}

/**
 * Reports every throttled attempt of a command that keeps the SDK's own retries, which hide throttling from the code
 * above them. The command is not changed otherwise.
 */
export function senseThrottles(command: AnyCommand, onThrottle: (reasons: readonly string[]) => void): void {
  const stack = command.middlewareStack as unknown as Stack
  stack.add(
    (next, context) => {
      withoutLogCopies(context)
      return async (args) => {
        try {
          return await next(args)
        } catch (error) {
          const throttle = throttleOf(error)
          if (throttle !== undefined) onThrottle(throttle.reasons)
          throw error
        }
      }
    },
    // The SDK retries at the beginning of this step, so a middleware at its end runs for each attempt.
    { step: 'finalizeRequest', priority: 'low', name: 'IsothermSense' },
  )
}
