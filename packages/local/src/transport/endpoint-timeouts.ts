/** How long an endpoint waits for its clients, in milliseconds of real time. */
export interface EndpointTimeouts {
  /** For the headers of a request, from its first byte; a connection without one has as long. */
  readonly headersMilliseconds: number
  /** For a whole request, from its first byte. */
  readonly requestMilliseconds: number
  /** For the next request of a connection that is kept alive. */
  readonly idleMilliseconds: number
  /** For any sign of life while an answer is being sent. */
  readonly silenceMilliseconds: number
}

const DEFAULTS: EndpointTimeouts = {
  headersMilliseconds: 10_000,
  requestMilliseconds: 60_000,
  // Longer than the SDKs keep idle connections, so that they close first.
  idleMilliseconds: 75_000,
  silenceMilliseconds: 120_000,
}

/** The timeouts with their defaults, and how often connections are looked at: timeouts are kept to a quarter. */
export function timeoutsOf(
  chosen: Partial<EndpointTimeouts> = {},
): EndpointTimeouts & { readonly checkMilliseconds: number } {
  const timeouts = { ...DEFAULTS, ...chosen }
  // Headers are a part of the request, and cannot have longer.
  const headersMilliseconds = Math.min(timeouts.headersMilliseconds, timeouts.requestMilliseconds)
  return { ...timeouts, headersMilliseconds, checkMilliseconds: Math.ceil(headersMilliseconds / 4) }
}
