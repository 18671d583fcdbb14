/** The errors of the proxy outside of API requests. */
export type ProxyErrorCode =
  | 'config.unreadable'
  | 'config.syntax'
  | 'config.invalid'
  | 'metrics.exporter-missing'
  | 'endpoint.port-taken'
  | 'endpoint.listen'
  | 'endpoint.upstream-itself'
  | 'upstream.credentials'

/** An error of the proxy itself: its configuration, its port, or its credentials. The message names the value, the rule and the cure. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly code: ProxyErrorCode
  /** The value that caused the error, such as the line of a configuration. */
  readonly details: { readonly [name: string]: unknown }

  constructor(
    code: ProxyErrorCode,
    message: string,
    details: { readonly [name: string]: unknown } = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
  }
}
