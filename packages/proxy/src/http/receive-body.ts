import type { IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { ServiceError } from '@isotherm/local/service'
import type { Admitted } from './admission.js'

/** A body as it was sent, and without its content encoding. */
export interface Body {
  readonly body: Buffer
  readonly text: Buffer
}

const EMPTY = Buffer.alloc(0)

/**
 * Receives a request's body.
 * @throws ServiceError for a body that is too large or encoded otherwise; an error when the caller disconnects
 */
export async function receiveBody(
  request: IncomingMessage,
  admitted: Admitted,
  maxBytes: number,
): Promise<Body> {
  const announced = Number(request.headers['content-length'] ?? 0)
  // Refused before it is sent.
  if (announced > maxBytes) admitted.body()(announced)
  const body = await collected(request, admitted.body())
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return { body, text: body }
  if (encoding !== 'gzip') throw malformed('The Content-Encoding is unknown here; send gzip, or none.', 415)
  return { body, text: await inflated(body, admitted.body()) }
}

function collected(request: IncomingMessage, take: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Nearly all bodies arrive in one piece, which is used without copying.
    let first: Buffer | undefined
    let more: Buffer[] | undefined
    request.on('data', (chunk: Buffer) => {
      try {
        take(chunk.length)
      } catch (error) {
        request.removeAllListeners('data')
        // What is still on its way is read and dropped, so that the caller reads the answer.
        request.resume()
        return reject(error)
      }
      if (first === undefined) first = chunk
      else {
        more ??= [first]
        more.push(chunk)
      }
    })
    request.once('end', () => resolve(more === undefined ? (first ?? EMPTY) : Buffer.concat(more)))
    request.once('error', reject)
    request.once('close', () => {
      if (!request.complete) reject(new Error('The caller has closed the connection.'))
    })
  })
}

/** Accounts for each piece of the text while it grows: a small body may have a text of gigabytes. */
async function inflated(body: Buffer, take: (bytes: number) => void): Promise<Buffer> {
  const text: Buffer[] = []
  const gunzip = createGunzip()
  gunzip.end(body)
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      take(chunk.length)
      text.push(chunk)
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw malformed('The body is not the gzip that its Content-Encoding promises.', 400)
  }
  return Buffer.concat(text)
}

function malformed(message: string, status: number): ServiceError {
  return new ServiceError('MalformedHttpRequestException', message, {}, status)
}
