import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

type Stack = DynamoDBClient['middlewareStack']

/** As the SDK positions the middleware that it replaces. */
const POSITION = {
  name: 'endpointV2Middleware',
  relation: 'before',
  toMiddleware: 'serializerMiddleware',
  override: true,
} as const

const doNothing = <Handler>(next: Handler): Handler => next

/** What is added to each copy of the stack. */
export const NO_ENDPOINT = { middleware: doNothing, isRelative: true, options: POSITION } as const

/**
 * Replaces the SDK's middleware that resolves an endpoint for each request, because there is none to resolve. It copies
 * the client's whole configuration each time. With it, and with copies for a logger that does nothing, puts and gets in this
 * process took twice the processor time.
 *
 * Each command adds that middleware itself when it is sent, so it is replaced in the copy of the stack that the SDK makes
 * for the command. A middleware that does nothing stays at its place, since others may be positioned relative to it.
 */
export function resolveNoEndpoint(stack: Stack): void {
  const { concat, clone } = stack
  const resolvingNone = (copy: Stack): Stack => {
    copy.addRelativeTo(doNothing, POSITION)
    resolveNoEndpoint(copy)
    return copy
  }
  stack.concat = ((from: Stack) => resolvingNone(concat(from) as Stack)) as Stack['concat']
  stack.clone = () => resolvingNone(clone())
}
