import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Engine } from '../engine/engine.js'
import { internalServerError, ServiceError, serializationException } from './service-error.js'
import { operationOf } from './services.js'

/** A request as AWS JSON 1.0 carries it. */
export interface WireRequest {
  /** The header `X-Amz-Target`, such as `DynamoDB_20120810.PutItem`. */
  readonly target: string | undefined
  /** The header `Authorization`; only its region matters here. */
  readonly authorization: string | undefined
  readonly body: string
}

/** A response as AWS JSON 1.0 carries it. */
export interface WireResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: Buffer
}

const CREDENTIAL_REGION = /Credential=[^/,\s]+\/\d{8}\/([a-z0-9-]{1,64})\//

/**
 * Answers a request in the protocol that the AWS SDKs speak: decodes, lets the engine work, encodes. Never throws.
 *
 * @param defaultRegion for requests whose signature names none.
 * @param onBug told of errors that no request should cause.
 */
export async function answer(
  engine: Engine,
  request: WireRequest,
  defaultRegion: string,
  onBug: (error: unknown) => void,
): Promise<WireResponse> {
  try {
    const operation = operationOf(request.target)
    const input = parseBody(request.body)
    const result = await engine.execute(operation, input, regionOf(request.authorization) ?? defaultRegion)
    return respond(200, result)
  } catch (error) {
    if (error instanceof ServiceError) return respond(error.httpStatus, error.body)
    onBug(error)
    const message = 'The request processing has failed because of an unknown error, exception or failure.'
    return respond(500, internalServerError(message).body)
  }
}

/** The region that the request was signed for: tables of different regions are apart. */
function regionOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : CREDENTIAL_REGION.exec(authorization)?.[1]
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw serializationException('')
  }
}

function respond(status: number, result: object): WireResponse {
  const body = Buffer.from(JSON.stringify(result))
  return {
    status,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(body.length),
      'x-amzn-requestid': randomUUID(),
      'x-amz-crc32': String(crc32(body)),
    },
    body,
  }
}
