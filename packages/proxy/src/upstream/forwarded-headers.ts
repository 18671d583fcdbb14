type Headers = { readonly [name: string]: string }

/** Headers of one connection, and not of the message: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What the proxy decides itself: whom it asks, and how it signs. */
const OF_THE_CALLER: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'origin',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
])

/** The headers of a request that go to the upstream. */
export function forwardedHeaders(headers: Headers): Record<string, string> {
  return kept(headers, (name) => OF_THE_CONNECTION.has(name) || OF_THE_CALLER.has(name))
}

/** The headers of a response that go back to the caller. */
export function returnedHeaders(headers: Headers): Record<string, string> {
  return kept(headers, (name) => OF_THE_CONNECTION.has(name) || name === 'content-length')
}

function kept(headers: Headers, isLeftOut: (name: string) => boolean): Record<string, string> {
  const named = namedByConnection(headers)
  const kept: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    const lower = name.toLowerCase()
    if (value !== undefined && !isLeftOut(lower) && named?.has(lower) !== true) kept[name] = value
  }
  return kept
}

/** Nearly all requests name none: `keep-alive`. */
const NAMES_NONE = /^\s*(keep-alive|close)?\s*$/i

/** The further headers of the connection, which its own header names. The same section of the RFC has an intermediary remove them. */
function namedByConnection(headers: Headers): ReadonlySet<string> | undefined {
  const connection = headers.connection ?? headers.Connection ?? ''
  if (NAMES_NONE.test(connection)) return undefined
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}
