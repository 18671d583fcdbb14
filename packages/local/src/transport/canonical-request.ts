import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * The text that a signature of version 4 signs: everything of a request that may not be changed on its way.
 *
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 *
 * @param signedHeaders in the order of signing, in lower case
 */
export function canonicalRequest(
  request: IncomingMessage,
  body: Buffer,
  signedHeaders: readonly string[],
): string {
  const headers = signedHeaders.map((name) => `${name}:${headerValue(request, name)}\n`).join('')
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  // The paths that are served contain nothing that needs escaping.
  const path = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? '' : canonicalQuery(url.slice(mark + 1))
  const payload = createHash('sha256').update(body).digest('hex')
  return ['POST', path, query, headers, signedHeaders.join(';'), payload].join('\n')
}

/** The values of a header from all its lines. Node joins them otherwise, or drops all but one. */
function headerValue({ headersDistinct: headers }: IncomingMessage, name: string): string {
  const lines = Object.hasOwn(headers, name) ? (headers[name] ?? []) : []
  return lines.map((line) => line.trim().replace(/\s+/g, ' ')).join(',')
}

/** All parameters, escaped in one way, and sorted by name and value. */
function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((parameter) => parameter !== '')
    .map((parameter) => {
      const equals = parameter.indexOf('=')
      const name = equals < 0 ? parameter : parameter.slice(0, equals)
      return [escapedOnce(name), equals < 0 ? '' : escapedOnce(parameter.slice(equals + 1))] as const
    })
    .sort(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** All but letters, digits and `-._~` are escaped, whatever the client has escaped. */
function escapedOnce(text: string): string {
  return encodeURIComponent(unescaped(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
