import type { IncomingMessage } from 'node:http'
import { gunzip } from 'node:zlib'
import { internalServerError, ServiceError } from '../errors/service-error.js'
import type { BodyAllowance } from './body-allowance.js'

/** The service refuses larger requests. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

/** A body, or the error that prevents it. */
export type BodyOutcome = Buffer | ServiceError

/**
 * Reads a request's raw body, up to the limit. Calls back once, or never for a client that disconnects before the end.
 */
export function readBody(
  request: IncomingMessage,
  allowance: BodyAllowance,
  done: (outcome: BodyOutcome) => void,
): void {
  // Nearly all bodies arrive in one piece, which is used without copying.
  let first: Buffer | undefined
  let more: Buffer[] | undefined
  let bytes = 0
  let taken = true
  const release = () => {
    if (taken) allowance.release(first === undefined ? 0 : sizeOf(more ?? [first]))
    taken = false
  }
  // A client that disconnects, or whose request has been answered, gives back what its body took.
  request.once('close', release)
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    const refusal =
      bytes > MAX_BODY_BYTES ? tooLarge() : allowance.take(chunk.length) ? undefined : allowance.refusal()
    if (refusal !== undefined) {
      request.removeAllListeners('data')
      request.removeAllListeners('end')
      release()
      done(refusal)
    } else if (first === undefined) first = chunk
    else {
      more ??= [first]
      more.push(chunk)
    }
  })
  request.on('end', () => done(more === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(more)))
}

function sizeOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0)
}

/** Whether the request's own headers announce a body above the limit. */
export function declaresTooMuch(request: IncomingMessage): boolean {
  return Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES
}

/** @param maxBytes the limit that it exceeds. */
export function tooLarge(maxBytes = MAX_BODY_BYTES): ServiceError {
  const message = `The request is larger than ${maxBytes} bytes.`
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
        else done(unreadable('The body is not the gzip that its Content-Encoding promises.'))
      })
      return
    default:
      done(unreadable('The Content-Encoding is unknown here; send gzip, or none.'))
  }
}

/** The service answers a body that it cannot decode with status 500. */
function unreadable(message: string): ServiceError {
  return internalServerError(message)
}
