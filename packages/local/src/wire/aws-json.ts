import { crc32 } from 'node:zlib'
import type { Engine } from '../engine/engine.js'
import { internalServerError, ServiceError } from '../errors/service-error.js'
import { printAnswer } from '../operations/answered-items.js'
import { EMPTY_RESPONSE } from '../operations/empty-response.js'
import { itemsAhead } from '../operations/items-ahead.js'
import { overTurns } from '../storage/over-turns.js'
import type { Awaitable } from '../storage/storage.js'
import { parseJsonBody } from './json-body.js'
import { parseInPieces } from './json-pieces.js'
import { type Headers, JsonResponse } from './json-response.js'
import { type PiecesOfText, printInSteps } from './json-text.js'
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

/** The body of a response in this protocol, in pieces if it is long. */
export type JsonBody = string | readonly Buffer[]

type Respond<Body> = (status: number, result: object, more?: Headers) => Awaitable<JsonResponse<Body>>

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
  request: WireRequest,
  defaultRegion: string,
  onBug: (error: unknown) => void,
): Awaitable<JsonResponse> {
  return answerWith(respond, engine, request, defaultRegion, onBug)
}

/** Answers a request as `answer` does, and prints a large response over many turns of the event loop. */
export function answerOverTurns(
  engine: Engine,
  request: WireRequest,
  defaultRegion: string,
  onBug: (error: unknown) => void,
): Awaitable<JsonResponse<JsonBody>> {
  return answerWith(respondOverTurns, engine, request, defaultRegion, onBug)
}

function answerWith<Body>(
  respondTo: Respond<Body>,
  engine: Engine,
  { target, authorization, host, body }: WireRequest,
  defaultRegion: string,
  onBug: (error: unknown) => void,
): Awaitable<JsonResponse<Body>> {
  try {
    const region = regionOf(authorization) ?? defaultRegion
    const outcome = engine.answer(operationOf(target), parseJsonBody(body), region, host)
    if (!(outcome instanceof Promise)) return respondToOutcome(respondTo, outcome, onBug)
    return outcome
      .then((settled) => respondToOutcome(respondTo, settled, onBug))
      .catch((error: unknown) => respondToError(respondTo, error, onBug))
  } catch (error) {
    return respondToError(respondTo, error, onBug)
  }
}

/** Parsing a body of this size takes a few milliseconds. Few requests have larger ones. */
export const LARGE_BODY_BYTES = 512 * 1024

/**
 * Answers a request as `answerOverTurns` does. Its body is parsed, and its items are decoded, over many turns of the event loop, so
 * that a body with a million members does not hold up other requests.
 */
export async function answerLarge(
  engine: Engine,
  { target, authorization, host, body }: WireRequest,
  defaultRegion: string,
  onBug: (error: unknown) => void,
): Promise<JsonResponse<JsonBody>> {
  try {
    const region = regionOf(authorization) ?? defaultRegion
    const operation = operationOf(target)
    const input = await overTurns(readInSteps(operation, body))
    const outcome = await engine.answer(operation, input, region, host)
    return await respondToOutcome(respondOverTurns, outcome, onBug)
  } catch (error) {
    return respondToError(respondOverTurns, error, onBug)
  }
}

/** Reads a request in steps of a few milliseconds. @throws ServiceError */
export function* readInSteps(operation: string, body: Buffer): Generator<undefined, unknown, undefined> {
  const input = yield* parseInPieces(body)
  yield* itemsAhead(operation, input)
  return input
}

/** The response to an error. An error that is not the service's is a bug, and its details are not sent. */
export function errorResponse(error: unknown, onBug: (error: unknown) => void): JsonResponse {
  const { httpStatus, body, headers } = serviceError(error, onBug)
  return respond(httpStatus, body, headers)
}

function respondToOutcome<Body>(
  respondTo: Respond<Body>,
  outcome: object | ServiceError,
  onBug: (error: unknown) => void,
): Awaitable<JsonResponse<Body>> {
  return outcome instanceof ServiceError ? respondToError(respondTo, outcome, onBug) : respondTo(200, outcome)
}

function respondToError<Body>(
  respondTo: Respond<Body>,
  error: unknown,
  onBug: (error: unknown) => void,
): Awaitable<JsonResponse<Body>> {
  const { httpStatus, body, headers } = serviceError(error, onBug)
  return respondTo(httpStatus, body, headers)
}

function serviceError(error: unknown, onBug: (error: unknown) => void): ServiceError {
  if (error instanceof ServiceError) return error
  onBug(error)
  return internalServerError(
    'The request processing has failed because of an unknown error, exception or failure.',
  )
}

/** The region that the request was signed for. Tables of different regions are separate. */
export function regionOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : CREDENTIAL_REGION.exec(authorization)?.[1]
}

function respond(status: number, result: object, more?: Headers): JsonResponse {
  return textResponse(status, result === EMPTY_RESPONSE ? '' : printAnswer(result), more)
}

/** Only the responses of batches and transactions can be longer than a page, which has 1 MB of items. */
const LONG_MEMBERS = ['Responses', 'CancellationReasons', 'UnprocessedItems']

const respondOverTurns: Respond<JsonBody> = (status, result, more) => {
  if (!LONG_MEMBERS.some((member) => member in result)) return respond(status, result, more)
  const steps = printInSteps(result)
  const first = steps.next()
  if (first.done !== true) return overTurns(steps).then((text) => printedResponse(status, text, more))
  return printedResponse(status, first.value, more)
}

function printedResponse(
  status: number,
  text: string | PiecesOfText,
  more: Headers | undefined,
): JsonResponse<JsonBody> {
  if (typeof text === 'string') return textResponse(status, text, more)
  const { pieces, bytes, checksum } = text
  return new JsonResponse(status, pieces, bytes, checksum, more)
}

function textResponse(status: number, body: string, more: Headers | undefined): JsonResponse {
  return new JsonResponse(status, body, Buffer.byteLength(body), crc32(body), more)
}
