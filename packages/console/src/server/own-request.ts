import type { IncomingMessage } from 'node:http'
import { ConsoleError } from './console-error.js'

/** Many times what a request of the page has. */
const MAX_BODY_BYTES = 16 * 1024

/** What a form of another page cannot send without asking this server first. */
const OWN_HEADER = 'x-isotherm-console'

/** @throws ConsoleError `request.method` */
export function requireMethod({ method = '' }: IncomingMessage, allowed: readonly string[]): void {
  if (allowed.includes(method)) return
  const message = `${method} is not allowed here. Send ${allowed.join(' or ')}.`
  throw new ConsoleError('request.method', 405, message)
}

/** @throws ConsoleError `request.header` */
export function requireOwnHeader({ headers }: IncomingMessage): void {
  if (headers[OWN_HEADER] !== undefined) return
  const message = `The header ${OWN_HEADER} is missing. Send it with any value, such as 1.`
  throw new ConsoleError('request.header', 403, message)
}

/**
 * The object in the body of a request that changes something.
 * @param example for the message
 * @throws ConsoleError `request.header`, `request.content-type` or `request.body`
 */
export async function ownBody(
  request: IncomingMessage,
  example: object,
): Promise<Readonly<Record<string, unknown>>> {
  requireOwnHeader(request)
  const type = request.headers['content-type'] ?? ''
  if (type.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    const message = `The content type is '${type}'. Send application/json.`
    throw new ConsoleError('request.content-type', 415, message)
  }
  const body = parsed(await textOf(request))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Readonly<Record<string, unknown>>
  }
  const message = `The body is no JSON object. Send one such as ${JSON.stringify(example)}.`
  throw new ConsoleError('request.body', 400, message)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) {
      const message = `The body has more than ${MAX_BODY_BYTES} bytes. Send fewer.`
      throw new ConsoleError('request.body', 413, message)
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
