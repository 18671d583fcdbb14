import type { IncomingMessage } from 'node:http'

/** What scripts may read of a response besides its body: what the SDKs look at. */
const EXPOSED_HEADERS = 'x-amzn-requestid,x-amz-crc32,x-amzn-errortype,x-amzn-errormessage,date'
/** Two days, in seconds, as the service answers; browsers cut it to their own limits. */
const MAX_AGE = '172800'
/** Names of headers, and nothing that could be anything else. */
const HEADER_NAMES = /^[\w\-, ]{1,2048}$/

/**
 * The headers that let a page read the answer, for an origin that is trusted. The origin is named and not `*`: the
 * answer to one page is not meant for another.
 */
export function corsHeaders(origin: string): Map<string, string> {
  return new Map([
    ['access-control-allow-origin', new URL(origin).origin],
    ['access-control-expose-headers', EXPOSED_HEADERS],
    ['vary', 'origin'],
  ])
}

/** The answer to a browser that asks whether a page of a trusted origin may send a request. */
export function preflightHeaders(request: IncomingMessage): { readonly [name: string]: string } {
  const wanted = request.headers['access-control-request-headers'] ?? ''
  return {
    ...(HEADER_NAMES.test(wanted) ? { 'access-control-allow-headers': wanted } : {}),
    'access-control-allow-methods': 'POST,GET',
    'access-control-max-age': MAX_AGE,
    'content-length': '0',
  }
}
