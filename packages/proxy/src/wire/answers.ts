import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ServiceError } from '@isotherm/local/service'
import { encodeOutput, encodeValues } from './encode-output.js'
import { WireAnswer } from './wire-message.js'

/** The answer to a request that the library has executed. */
export function outputAnswer(output: object): WireAnswer {
  const { $metadata } = output as { readonly $metadata?: { readonly requestId?: string } }
  return jsonAnswer(200, encodeOutput(output), $metadata?.requestId)
}

/** @param requestId of the upstream, where it has rejected the request */
export function errorAnswer(error: ServiceError, requestId?: string): WireAnswer {
  return jsonAnswer(error.httpStatus, encodeValues(error.body), requestId)
}

function jsonAnswer(status: number, text: string, requestId: string = randomUUID()): WireAnswer {
  const body = Buffer.from(text)
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    'x-amzn-RequestId': requestId,
    'x-amz-crc32': String(crc32(body)),
  }
  return new WireAnswer(status, headers, body)
}
