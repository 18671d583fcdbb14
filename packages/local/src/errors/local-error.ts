/** The errors of the engine outside of API requests. */
export type LocalErrorCode =
  | 'buckets.missing'
  | 'endpoint.port-taken'
  | 'endpoint.listen'
  | 'local.closed'
  | 'options.invalid'
  | 'options.unknown'
  | 'snapshot.durable'
  | 'snapshot.foreign'
  | 'storage.directory'
  | 'storage.foreign'
  | 'storage.newer'
  | 'storage.damaged'
  | 'storage.in-use'
  | 'storage.full'
  | 'storage.limits'
  | 'storage.memory'
  | 'storage.write'
  | 'trace.exists'
  | 'trace.write'
  | 'trace.ended'
  | 'trace.read'
  | 'trace.foreign'
  | 'trace.newer'
  | 'trace.damaged'
  | 'replay.design'

/** An error of the engine itself, not of the service it emulates. The message contains the remedy. */
export class LocalError extends Error {
  override readonly name = 'LocalError'
  readonly code: LocalErrorCode
  /** The value that caused the error, such as the port. */
  readonly details: { readonly [name: string]: unknown }

  constructor(
    code: LocalErrorCode,
    message: string,
    details: { readonly [name: string]: unknown } = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
  }
}
