import type { IncomingMessage } from 'node:http'

/** The response headers that scripts may read, besides the body: those that the SDKs use. */
const EXPOSED_HEADERS = 'x-amzn-requestid,x-amz-crc32,x-amzn-errortype,x-amzn-errormessage,date'
/** Two days in seconds, as the service returns. Browsers reduce it to their own limits. */
const MAX_AGE = '172800'
/** A list of header names, and nothing else. */
const HEADER_NAMES = /^[\w\-, ]{1,2048}$/

/**
 * The headers that allow a page of a trusted origin to read the response. They name the origin instead of `*`, because
 * a response to one page is not meant for another.
 */
export function corsHeaders(origin: string): Map<string, string> {
  return new Map([
    ['access-control-allow-origin', new URL(origin).origin],
    ['access-control-expose-headers', EXPOSED_HEADERS],
    ['vary', 'origin'],
  ])
}

/** The response to a browser's preflight request from a page of a trusted origin. */
export function preflightHeaders(request: IncomingMessage): { readonly [name: string]: string } {
  const wanted = request.headers['access-control-request-headers'] ?? ''
  return {
    ...(HEADER_NAMES.test(wanted) ? { 'access-control-allow-headers': wanted } : {}),
    'access-control-allow-methods': 'POST,GET',
    'access-control-max-age': MAX_AGE,
    'content-length': '0',
  }
}
