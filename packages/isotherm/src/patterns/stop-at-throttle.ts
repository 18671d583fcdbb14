import { type Throttle, throttleOf } from '../sdk/throttle.js'

type Handler = (args: unknown) => Promise<unknown>

interface Stack {
  add(middleware: (next: Handler) => Handler, options: object): void
}

/**
 * Carries a throttle past the SDK's retries, which would send the same request to the same hot item again. It does not look like
 * a throttle to the SDK.
 */
class StoppedAtThrottle extends Error {
  override readonly name = 'IsothermStoppedAttempt'
  readonly throttle: Throttle

  constructor(throttle: Throttle) {
    super(throttle.error.message)
    this.throttle = throttle
  }
}

/** Makes the first throttled attempt of a command end it, so that the next one can go elsewhere. */
export function stopAtThrottle<Command extends { readonly middlewareStack: object }>(
  command: Command,
): Command {
  const stack = command.middlewareStack as unknown as Stack
  stack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        const throttle = throttleOf(error)
        throw throttle === undefined ? error : new StoppedAtThrottle(throttle)
      }),
    // Below the SDK's retries, which begin this step, and above what a sharded client adds to watch for throttles.
    { step: 'finalizeRequest', priority: 'normal', name: 'IsothermStopAtThrottle' },
  )
  return command
}

/** The throttle that ended a request, stopped or not. */
export function throttleThatEnded(error: unknown): Throttle | undefined {
  return error instanceof StoppedAtThrottle ? error.throttle : throttleOf(error)
}
