import type { AnyCommand, SendOptions } from './physical-client.js'

/** The context of a call, besides its input. */
export interface RequestContext {
  /** The options of the call, for all of its requests. */
  readonly options: SendOptions | undefined
  /** Copies the middleware that the application added to the command to another command of the same operation. */
  carryMiddleware(to: AnyCommand): void
}

export function contextOf(
  { carryMiddleware }: Pick<RequestContext, 'carryMiddleware'>,
  options: SendOptions | undefined,
): RequestContext {
  return { options, carryMiddleware }
}
