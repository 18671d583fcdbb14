import type { IncomingMessage } from 'node:http'
import { gunzip } from 'node:zlib'
import { malformedHttpRequest, ServiceError } from '../errors/service-error.js'

/** The largest request of the API is a batch of 16 MB; base64 and JSON make it larger on the wire. */
const MAX_BODY_BYTES = 32 * 1024 * 1024

/** A body, or why there is none. */
export type BodyOutcome = Buffer | ServiceError

/**
 * Reads a request's body as it came, at most as much as a request may have. Calls back once; not at all for a client
 * that goes away in the middle, which then leaves nothing behind.
 */
export function readBody(request: IncomingMessage, done: (outcome: BodyOutcome) => void): void {
  // Nearly all bodies come in one piece, which is then used as it is.
  let first: Buffer | undefined
  let more: Buffer[] | undefined
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) {
      request.removeAllListeners('data')
      request.removeAllListeners('end')
      done(tooLarge())
    } else if (first === undefined) first = chunk
    else {
      more ??= [first]
      more.push(chunk)
    }
  })
  request.on('end', () => done(more === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(more)))
}

/** Whether the request says itself that it is larger than a request may be. */
export function declaresTooMuch(request: IncomingMessage): boolean {
  return Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES
}

export function tooLarge(): ServiceError {
  const message = `The request is larger than ${MAX_BODY_BYTES} bytes.`
  return new ServiceError('RequestEntityTooLargeException', message, {}, 413)
}

/**
 * The body without its content encoding. SDKs compress with gzip and nothing else:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-compression.html
 *
 * Inflated away from the loop, and to no more than a request may have: a megabyte of gzip can hold a gigabyte.
 */
export function decodeContent(body: Buffer, encoding: string, done: (outcome: BodyOutcome) => void): void {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      done(body)
      return
    case 'gzip':
      gunzip(body, { maxOutputLength: MAX_BODY_BYTES }, (error: NodeJS.ErrnoException | null, inflated) => {
        if (error === null) done(inflated)
        else if (error.code === 'ERR_BUFFER_TOO_LARGE') done(tooLarge())
        else done(malformedHttpRequest('The body is not the gzip that its Content-Encoding promises.'))
      })
      return
    default:
      done(malformedHttpRequest('The Content-Encoding is unknown here; send gzip, or none.', 415))
  }
}
