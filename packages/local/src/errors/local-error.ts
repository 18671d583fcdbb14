/** What can go wrong outside of requests. */
export type LocalErrorCode =
  | 'endpoint.port-taken'
  | 'endpoint.listen'
  | 'endpoint.option'
  | 'local.closed'
  | 'snapshot.durable'
  | 'snapshot.foreign'
  | 'storage.directory'
  | 'storage.foreign'
  | 'storage.newer'
  | 'storage.damaged'
  | 'storage.in-use'
  | 'storage.full'
  | 'storage.write'
  | 'trace.exists'
  | 'trace.write'
  | 'trace.ended'
  | 'trace.read'
  | 'trace.foreign'
  | 'trace.newer'
  | 'trace.damaged'
  | 'replay.design'

/** An error of the engine as a program, not of the service it stands for. The message says what to do. */
export class LocalError extends Error {
  override readonly name = 'LocalError'
  readonly code: LocalErrorCode
  /** The value it is about, such as the port. */
  readonly payload: { readonly [name: string]: unknown }

  constructor(
    code: LocalErrorCode,
    message: string,
    payload: { readonly [name: string]: unknown } = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.payload = payload
  }
}
