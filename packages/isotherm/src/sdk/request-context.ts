import type { AnyCommand, SendOptions } from './physical-client.js'

/** What a call of the application brings along besides its input. */
export interface RequestContext {
  /** Of the call, for every request that it takes. */
  readonly options: SendOptions | undefined
  /** Puts the middleware that the user added to the command on another one of the same operation. */
  carryMiddleware(to: AnyCommand): void
}

export function contextOf(
  { carryMiddleware }: Pick<RequestContext, 'carryMiddleware'>,
  options: SendOptions | undefined,
): RequestContext {
  return { options, carryMiddleware }
}
