import type { Engine } from '../engine/engine.js'
import { internalServerError, ServiceError } from '../errors/service-error.js'
import { regionOf, type WireRequest } from './aws-json.js'
import type { WireResponse } from './json-response.js'
import { isCloudwatch, operationOf } from './services.js'
import { uniqueRequestId } from './unique-request-id.js'

/** The header in which clients name a Smithy protocol, and its value for this one. */
const PROTOCOL_HEADER = 'smithy-protocol'
const PROTOCOL = 'rpc-v2-cbor'

const PATH = /^\/service\/(\w+)\/operation\/(\w+)$/

/** A request in Smithy's RPC v2 CBOR. Its path names the operation, as the target header does in JSON. */
export interface CborRequest extends Omit<WireRequest, 'target'> {
  readonly path: string | undefined
}

/** Whether a request is in this protocol. */
export function isCbor(headers: { readonly [name: string]: string | string[] | undefined }): boolean {
  return headers[PROTOCOL_HEADER] === PROTOCOL
}

/**
 * Answers a request in Smithy's RPC v2 CBOR, which newer CloudWatch clients choose when the service offers it. Never
 * throws and never rejects. Source: https://smithy.io/2.0/additional-specs/protocols/smithy-rpc-v2.html
 *
 * @param defaultRegion for requests without a region in their signature.
 * @param onBug called with errors that no request should cause.
 */
export async function answerCbor(
  engine: Engine,
  { path, authorization, host, body }: CborRequest,
  defaultRegion: string,
  onBug: (error: unknown) => void,
): Promise<WireResponse<Uint8Array>> {
  try {
    const { parseCborBody } = await loadCbor()
    const region = regionOf(authorization) ?? defaultRegion
    return await respond(200, await engine.execute(operationAt(path), parseCborBody(body), region, host))
  } catch (error) {
    return cborErrorResponse(error, onBug)
  }
}

/**
 * The response to an error in this protocol. An error that is not the service's is a bug, and its details are not sent.
 */
export function cborErrorResponse(
  error: unknown,
  onBug: (error: unknown) => void,
): Promise<WireResponse<Uint8Array>> {
  if (!(error instanceof ServiceError)) onBug(error)
  const known = error instanceof ServiceError ? error : internalServerError('The service failed.')
  return respond(known.httpStatus, known.body, known.headers)
}

/** Loaded with the first request. Most engines never receive one, and should not load a decoder at start. */
function loadCbor(): Promise<typeof import('./cbor-body.js')> {
  return import('./cbor-body.js')
}

/**
 * DynamoDB itself does not support this protocol.
 * @throws ServiceError UnknownOperationException
 */
function operationAt(path: string | undefined): string {
  const [, service, name] = PATH.exec(path ?? '') ?? []
  const operation = operationOf(service === undefined ? undefined : `${service}.${name}`)
  if (isCloudwatch(operation)) return operation
  throw new ServiceError('UnknownOperationException', '')
}

async function respond(
  status: number,
  result: object,
  more?: { readonly [name: string]: string },
): Promise<WireResponse<Uint8Array>> {
  const { printCbor } = await loadCbor()
  const body = printCbor(result)
  return {
    status,
    headers: {
      [PROTOCOL_HEADER]: PROTOCOL,
      'content-type': 'application/cbor',
      'content-length': String(body.length),
      'x-amzn-requestid': uniqueRequestId(),
      ...more,
    },
    body,
    bytes: body.length,
  }
}
