/** How long an endpoint waits for its clients, in milliseconds of real time. */
export interface EndpointTimeouts {
  /** For the headers of a request, from its first byte, or for the first byte of a new connection. */
  readonly headersMilliseconds: number
  /** For a whole request, from its first byte. */
  readonly requestMilliseconds: number
  /** For the next request on a kept-alive connection. */
  readonly idleMilliseconds: number
  /** For any activity while a response is being sent. */
  readonly silenceMilliseconds: number
}

const DEFAULTS: EndpointTimeouts = {
  headersMilliseconds: 10_000,
  requestMilliseconds: 60_000,
  // Longer than the SDKs keep idle connections, so that the SDKs close them first.
  idleMilliseconds: 75_000,
  silenceMilliseconds: 120_000,
}

/** Fills in default timeouts, and computes how often connections are checked. Timeouts are exact to a quarter. */
export function timeoutsOf(
  chosen: Partial<EndpointTimeouts> = {},
): EndpointTimeouts & { readonly checkMilliseconds: number } {
  const timeouts = { ...DEFAULTS, ...chosen }
  // Headers are part of the request, so they cannot take longer.
  const headersMilliseconds = Math.min(timeouts.headersMilliseconds, timeouts.requestMilliseconds)
  return { ...timeouts, headersMilliseconds, checkMilliseconds: Math.ceil(headersMilliseconds / 4) }
}
