import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Engine } from '../engine/engine.js'
import { internalServerError, ServiceError } from '../errors/service-error.js'
import type { Awaitable } from '../storage/storage.js'
import { parseJsonBody } from './json-body.js'
import { operationOf } from './services.js'

/** A request as AWS JSON 1.0 carries it. */
export interface WireRequest {
  /** The header `X-Amz-Target`, such as `DynamoDB_20120810.PutItem`. */
  readonly target: string | undefined
  /** The header `Authorization`; only its region matters here. */
  readonly authorization: string | undefined
  /** The header `Host`: by which name the client knows this endpoint. */
  readonly host: string | undefined
  readonly body: Buffer
}

/** A response as the wire carries it; text unless the protocol is a binary one. */
export interface WireResponse<Body = string> {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: Body
  /** What the body has, a text in UTF-8: as many as characters when it is ASCII. */
  readonly bytes: number
}

const CREDENTIAL_REGION = /Credential=[^/,\s]+\/\d{8}\/([a-z0-9-]{1,64})\//

/**
 * Answers a request in the protocol that the AWS SDKs speak: decodes, lets the engine work, encodes. Never throws and
 * never rejects. Where the engine answers at once, so does this: a promise would cost a turn of the queue.
 *
 * @param defaultRegion for requests whose signature names none.
 * @param onBug told of errors that no request should cause.
 */
export function answer(
  engine: Engine,
  { target, authorization, host, body }: WireRequest,
  defaultRegion: string,
  onBug: (error: unknown) => void,
): Awaitable<WireResponse> {
  try {
    const region = regionOf(authorization) ?? defaultRegion
    const result = engine.execute(operationOf(target), parseJsonBody(body), region, host)
    if (!(result instanceof Promise)) return respond(200, result)
    return result
      .then((output) => respond(200, output))
      .catch((error: unknown) => errorResponse(error, onBug))
  } catch (error) {
    return errorResponse(error, onBug)
  }
}

/** What the wire carries for an error. One that is not the service's is a bug, of which the client learns nothing. */
export function errorResponse(error: unknown, onBug: (error: unknown) => void): WireResponse {
  if (error instanceof ServiceError) return respond(error.httpStatus, error.body, error.headers)
  onBug(error)
  const message = 'The request processing has failed because of an unknown error, exception or failure.'
  return respond(500, internalServerError(message).body)
}

/** The region that the request was signed for: tables of different regions are apart. */
export function regionOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : CREDENTIAL_REGION.exec(authorization)?.[1]
}

function respond(status: number, result: object, more?: { readonly [name: string]: string }): WireResponse {
  const body = JSON.stringify(result)
  const bytes = Buffer.byteLength(body)
  return {
    status,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(bytes),
      'x-amzn-requestid': randomUUID(),
      'x-amz-crc32': String(crc32(body)),
      ...more,
    },
    body,
    bytes,
  }
}
