import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Engine } from '../engine/engine.js'
import { internalServerError, ServiceError } from '../errors/service-error.js'
import { EMPTY_RESPONSE } from '../operations/empty-response.js'
import { itemsAhead } from '../operations/items-ahead.js'
import { overTurns } from '../storage/over-turns.js'
import type { Awaitable } from '../storage/storage.js'
import { parseJsonBody } from './json-body.js'
import { parseInPieces } from './json-pieces.js'
import { operationOf } from './services.js'

/** A request in AWS JSON 1.0. */
export interface WireRequest {
  /** The header `X-Amz-Target`, such as `DynamoDB_20120810.PutItem`. */
  readonly target: string | undefined
  /** The header `Authorization`, of which only the region is used here. */
  readonly authorization: string | undefined
  /** The header `Host`, the name by which the client reached this endpoint. */
  readonly host: string | undefined
  readonly body: Buffer
}

/** A response in the form sent over HTTP. The body is text, except in binary protocols. */
export interface WireResponse<Body = string> {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: Body
  /** The size of the body in bytes. For an ASCII body it equals the number of characters. */
  readonly bytes: number
}

const CREDENTIAL_REGION = /Credential=[^/,\s]+\/\d{8}\/([a-z0-9-]{1,64})\//

/**
 * Answers a request in AWS JSON 1.0, the protocol of the AWS SDKs: decodes it, calls the engine, and encodes the
 * response. Never throws and never rejects. When the engine returns at once, so does this function, because a promise
 * would cost a turn of the microtask queue.
 *
 * @param defaultRegion for requests without a region in their signature.
 * @param onBug called with errors that no request should cause.
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

/** Parsing a body of this size takes a few milliseconds. Few requests have larger ones. */
export const LARGE_BODY_BYTES = 512 * 1024

/**
 * Answers a request as `answer` does. Its body is parsed, and its items are decoded, over many turns of the event loop, so
 * that a body with a million members does not hold up other requests.
 */
export async function answerLarge(
  engine: Engine,
  { target, authorization, host, body }: WireRequest,
  defaultRegion: string,
  onBug: (error: unknown) => void,
): Promise<WireResponse> {
  try {
    const region = regionOf(authorization) ?? defaultRegion
    const operation = operationOf(target)
    const input = await overTurns(readInSteps(operation, body))
    return respond(200, await engine.execute(operation, input, region, host))
  } catch (error) {
    return errorResponse(error, onBug)
  }
}

/** Reads a request in steps of a few milliseconds. @throws ServiceError */
export function* readInSteps(operation: string, body: Buffer): Generator<undefined, unknown, undefined> {
  const input = yield* parseInPieces(body)
  yield* itemsAhead(operation, input)
  return input
}

/** The response to an error. An error that is not the service's is a bug, and its details are not sent. */
export function errorResponse(error: unknown, onBug: (error: unknown) => void): WireResponse {
  if (error instanceof ServiceError) return respond(error.httpStatus, error.body, error.headers)
  onBug(error)
  const message = 'The request processing has failed because of an unknown error, exception or failure.'
  return respond(500, internalServerError(message).body)
}

/** The region that the request was signed for. Tables of different regions are separate. */
export function regionOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : CREDENTIAL_REGION.exec(authorization)?.[1]
}

function respond(status: number, result: object, more?: { readonly [name: string]: string }): WireResponse {
  const body = result === EMPTY_RESPONSE ? '' : JSON.stringify(result)
  const bytes = Buffer.byteLength(body)
  return {
    status,
    headers: {
      server: 'Server',
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
