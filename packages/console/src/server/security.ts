import type { IncomingMessage, ServerResponse } from 'node:http'
import { ConsoleError } from './console-error.js'

/** Scripts, styles and data come from this server alone, and nothing inline runs. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = new Map([
  ['content-security-policy', CONTENT_SECURITY_POLICY],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
])

/** Headers that keep other pages from reading or framing the console's responses. */
export function secure(response: ServerResponse): void {
  response.setHeaders(HEADERS)
}

/**
 * Refuses requests that a page of another origin sends. The endpoint has checked the host, so a page that has this
 * machine under a name of its own does not get here. Another page of this machine does, such as one under development.
 *
 * A link to the page itself may be anywhere.
 * @throws ConsoleError `request.origin`
 */
export function checkOrigin({ headers, url }: IncomingMessage, isPage: boolean): void {
  const { origin, host, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  const isOther =
    (origin !== undefined && origin !== `http://${host}`) || site === 'cross-site' || site === 'same-site'
  if (!isOther || (isPage && mode === 'navigate')) return
  throw new ConsoleError(
    'request.origin',
    403,
    `${url?.split('?', 1)[0]} was requested by a page of another origin. Open the console itself.`,
  )
}
