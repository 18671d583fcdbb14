import type { AnyCommand, SendOptions } from '../sdk/physical-client.js'

type Handler = (request: object) => Promise<{ readonly output: unknown }>
type Middleware = (next: Handler, context: Context) => Handler

/** What the SDK gives to the middleware of one command. */
interface Context {
  /** The SDK's own part. Releases from before it had the signal keep that to the end of the stack, where the library has no part. */
  readonly __smithy_context?: SendOptions | undefined
}

/** The functions of a client's middleware stack that the SDK uses to send a command. */
interface Stack {
  add(middleware: Middleware, options: object): void
  concat(from: object): Stack
  clone(): Stack
}

/** Executes a command, or returns `undefined` if it does not concern sharded tables. */
export type Route = (command: AnyCommand, options: SendOptions | undefined) => Promise<unknown> | undefined

/**
 * The middleware stack of a sharded client, for other clients that are made from it, such as a document client. They send
 * commands through this stack, and never call `send` of the client.
 *
 * Middleware that is added to it is added to the stack of the client that was passed in, whose requests it concerns.
 */
export function routedStack<Original extends object>(original: Original, route: Route): Original {
  const stack = original as unknown as Stack
  const routed = (copy: Stack): Stack => {
    copy.add(router(route), { step: 'initialize', priority: 'high' })
    return copy
  }
  return Object.create(original, {
    concat: { value: (from: object) => routed(stack.concat(from)) },
    clone: { value: () => routed(stack.clone()) },
  })
}

/** The SDK passes the command itself to the first middleware. Its output needs no more of the stack. */
function router(route: Route): Middleware {
  return (next, { __smithy_context: { abortSignal } = {} }) =>
    async (request) => {
      const output = route(request as AnyCommand, abortSignal && { abortSignal })
      return output === undefined ? next(request) : { output: await output }
    }
}
