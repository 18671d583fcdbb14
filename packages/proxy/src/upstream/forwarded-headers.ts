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
  const kept: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !isLeftOut(name.toLowerCase())) kept[name] = value
  }
  return kept
}
