import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createGzip, gzip } from 'node:zlib'
import type { JsonBody } from '../wire/aws-json.js'
import type { WireResponse } from '../wire/json-response.js'

/** The service compresses only longer responses. */
const MIN_COMPRESSED_BYTES = 4 * 1024

const GZIP = /(^|,)\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[\d.]+\s*)?(,|$)/i

/** Whether a response is compressed, because its client accepts that. */
export function wantsGzip(
  { headers }: IncomingMessage,
  { bytes }: WireResponse<JsonBody | Uint8Array>,
): boolean {
  const accepted = headers['accept-encoding']
  return typeof accepted === 'string' && bytes > MIN_COMPRESSED_BYTES && GZIP.test(accepted)
}

/** A response compressed with gzip. Its checksum is that of the compressed bytes. */
export async function compressed(
  response: WireResponse<JsonBody | Uint8Array>,
): Promise<WireResponse<Uint8Array>> {
  const body = await gzipped(response.body)
  return {
    status: response.status,
    headers: {
      ...response.headers,
      'content-encoding': 'gzip',
      'content-length': String(body.length),
      'x-amz-crc32': String(crc32(body)),
    },
    body,
    bytes: body.length,
  }
}

async function gzipped(body: JsonBody | Uint8Array): Promise<Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return await promisify(gzip)(body)
  const parts: Buffer[] = []
  for await (const part of Readable.from(body).pipe(createGzip())) parts.push(part)
  return Buffer.concat(parts)
}
