import type { IncomingMessage } from 'node:http'
import { gunzip } from 'node:zlib'
import { malformedHttpRequest, ServiceError } from '../errors/service-error.js'

/** The largest request of the API is a batch of 16 MB, which base64 and JSON make larger. */
const MAX_BODY_BYTES = 32 * 1024 * 1024

/** A body, or the error that prevents it. */
export type BodyOutcome = Buffer | ServiceError

/**
 * Reads a request's raw body, up to the limit. Calls back once, or never for a client that disconnects before the end.
 */
export function readBody(request: IncomingMessage, done: (outcome: BodyOutcome) => void): void {
  // Nearly all bodies arrive in one piece, which is used without copying.
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

/** Whether the request's own headers announce a body above the limit. */
export function declaresTooMuch(request: IncomingMessage): boolean {
  return Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES
}

export function tooLarge(): ServiceError {
  const message = `The request is larger than ${MAX_BODY_BYTES} bytes.`
  return new ServiceError('RequestEntityTooLargeException', message, {}, 413)
}

/**
 * Decodes the body's content encoding. SDKs compress only with gzip:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-compression.html
 *
 * Decompression runs asynchronously and up to the limit of a request, because a megabyte of gzip can contain a
 * gigabyte.
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
