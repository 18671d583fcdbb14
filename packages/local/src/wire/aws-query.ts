import { CloudwatchError } from '../cloudwatch/cloudwatch-error.js'
import type { Engine } from '../engine/engine.js'
import { internalServerError, ServiceError } from '../errors/service-error.js'
import type { Awaitable } from '../storage/storage.js'
import { regionOf, type WireRequest } from './aws-json.js'
import { parseFormBody } from './form-body.js'
import type { WireResponse } from './json-response.js'
import { printXml } from './query-xml.js'
import { isCloudwatch } from './services.js'
import { uniqueRequestId } from './unique-request-id.js'

const NAMESPACE = 'http://monitoring.amazonaws.com/doc/2010-08-01/'

/**
 * Answers a request in the AWS query protocol of older CloudWatch clients, such as the AWS CLI 2 in Debian. Never
 * throws and never rejects.
 *
 * @param defaultRegion for requests without a region in their signature.
 * @param onBug called with errors that no request should cause.
 */
export function answerQuery(
  engine: Engine,
  { authorization, host, body }: Omit<WireRequest, 'target'>,
  defaultRegion: string,
  onBug: (error: unknown) => void,
): Awaitable<WireResponse> {
  try {
    const { Action: action, Version: _, ...input } = parseFormBody(body)
    if (typeof action !== 'string' || !isCloudwatch(action)) throw invalidAction(action)
    const region = regionOf(authorization) ?? defaultRegion
    const success = (output: object) => respond(action, printXml(`${action}Result`, output))
    const result = engine.execute(action, input, region, host)
    if (!(result instanceof Promise)) return success(result)
    return result.then(success).catch((error: unknown) => failure(error, onBug))
  } catch (error) {
    return failure(error, onBug)
  }
}

function failure(error: unknown, onBug: (error: unknown) => void): WireResponse {
  if (!(error instanceof ServiceError)) onBug(error)
  const known = error instanceof ServiceError ? error : internalServerError('The service failed.')
  const Code = known instanceof CloudwatchError ? known.code : known.name
  const Type = known.httpStatus >= 500 ? 'Receiver' : 'Sender'
  const id = uniqueRequestId()
  const content = printXml('Error', { Type, Code, Message: known.message }) + printXml('RequestId', id)
  return response(known.httpStatus, `<ErrorResponse xmlns="${NAMESPACE}">${content}</ErrorResponse>`, id)
}

function respond(action: string, result: string): WireResponse {
  const id = uniqueRequestId()
  const content = result + printXml('ResponseMetadata', { RequestId: id })
  return response(200, `<${action}Response xmlns="${NAMESPACE}">${content}</${action}Response>`, id)
}

function response(status: number, body: string, id: string): WireResponse {
  const bytes = Buffer.byteLength(body)
  const headers = {
    'content-type': 'text/xml',
    'content-length': String(bytes),
    'x-amzn-requestid': id,
  }
  return { status, headers, body, bytes }
}

function invalidAction(action: unknown): ServiceError {
  const shown = typeof action === 'string' ? action : 'that is missing'
  return new ServiceError(
    'InvalidAction',
    `The action ${shown} is not valid for this endpoint; of forms it takes those of CloudWatch's queries only.`,
  )
}
