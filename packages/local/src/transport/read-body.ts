import type { IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { internalServerError, ServiceError } from '../errors/service-error.js'
import type { BodyAllowance } from './body-allowance.js'

/** The service refuses larger requests. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

/** A body, or the error that prevents it. */
export type BodyOutcome = Buffer | ServiceError

/**
 * Reads a request's raw body, up to the limit. Calls back once, or never for a client that disconnects before the end. The
 * caller releases the request's allowance when it has answered.
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
  // A complete request is closed, too, long before it is answered.
  request.once('close', () => {
    if (!request.complete) allowance.release(request)
  })
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    const refusal = refusalOf(request, chunk, bytes, allowance)
    if (refusal !== undefined) {
      request.removeAllListeners('data')
      request.removeAllListeners('end')
      done(refusal)
    } else if (first === undefined) first = chunk
    else {
      more ??= [first]
      more.push(chunk)
    }
  })
  request.on('end', () => done(more === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(more)))
}

/** Takes the memory for a chunk, or returns the error for a request that may not have it. */
function refusalOf(
  request: IncomingMessage,
  chunk: Buffer,
  bytes: number,
  allowance: BodyAllowance,
): ServiceError | undefined {
  if (bytes > MAX_BODY_BYTES) return tooLarge()
  return allowance.take(request, chunk.length) ? undefined : allowance.refusal()
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
 * The decoded body takes more of the request's allowance.
 */
export function decodeContent(
  request: IncomingMessage,
  body: Buffer,
  allowance: BodyAllowance,
  done: (outcome: BodyOutcome) => void,
): void {
  switch (request.headers['content-encoding']?.trim().toLowerCase()) {
    case '':
    case 'identity':
      done(body)
      return
    case 'gzip':
      inflate(request, body, allowance, done)
      return
    default:
      done(unreadable('The Content-Encoding is unknown here; send gzip, or none.'))
  }
}

/** Decompresses asynchronously and up to the limit of a request, because a megabyte of gzip can contain a gigabyte. */
function inflate(
  request: IncomingMessage,
  body: Buffer,
  allowance: BodyAllowance,
  done: (outcome: BodyOutcome) => void,
): void {
  const chunks: Buffer[] = []
  let bytes = 0
  const gunzip = createGunzip()
  gunzip.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    const refusal = refusalOf(request, chunk, bytes, allowance)
    if (refusal === undefined) chunks.push(chunk)
    else {
      gunzip.destroy()
      done(refusal)
    }
  })
  gunzip.on('end', () => done(Buffer.concat(chunks)))
  gunzip.on('error', () => done(unreadable('The body is not the gzip that its Content-Encoding promises.')))
  gunzip.end(body)
}

/** The service answers a body that it cannot decode with status 500. */
function unreadable(message: string): ServiceError {
  return internalServerError(message)
}
