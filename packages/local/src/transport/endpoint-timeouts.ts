/** How long an endpoint waits for its clients, in whole milliseconds of real time. 0 is no limit. */
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

/** How often connections are checked that have no limits. */
const UNLIMITED_CHECK_MILLISECONDS = 30_000

/** Fills in default timeouts, and computes how often connections are checked. Timeouts are exact to a quarter. */
export function timeoutsOf(
  chosen: Partial<EndpointTimeouts> = {},
): EndpointTimeouts & { readonly checkMilliseconds: number } {
  const timeouts = { ...DEFAULTS, ...chosen }
  const [forHeaders, forRequest] = [
    limitOf(timeouts.headersMilliseconds),
    limitOf(timeouts.requestMilliseconds),
  ]
  // Headers are part of the request, so they cannot take longer.
  const shortest = Math.min(forHeaders, forRequest)
  const checkMilliseconds = Number.isFinite(shortest) ? Math.ceil(shortest / 4) : UNLIMITED_CHECK_MILLISECONDS
  const headersMilliseconds = Number.isFinite(shortest) ? shortest : 0
  return { ...timeouts, headersMilliseconds, checkMilliseconds }
}

/** 0 is no limit. */
function limitOf(milliseconds: number): number {
  return milliseconds === 0 ? Number.POSITIVE_INFINITY : milliseconds
}
