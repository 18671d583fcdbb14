import { crc32 } from 'node:zlib'
import type { RawAnswer } from './answer-reader.js'

/** Matches a stack or a path of the program. Nothing that the fuzzer sends contains either. */
const INSIDE = /\n\s+at \S|\.[cm]?[jt]s:\d|node:internal|node_modules/

/** Checks a response independently of its request. Returns the fault, or `undefined` when there is none. */
export function faultOf({ status, headers, body }: RawAnswer): string | undefined {
  const text = body.toString()
  // The service, too, answers a body that it cannot decode with status 500.
  const isUndecodable = status === 500 && text.includes('Content-Encoding')
  if (!(status >= 200 && status < 500) && !isUndecodable) return `status ${status}`
  if (INSIDE.test(text)) return 'the answer shows the inside of the program'
  if (headers.get('content-type') !== 'application/x-amz-json-1.0') {
    return status >= 400 ? 'an error that is no JSON' : undefined
  }
  if (headers.get('x-amz-crc32') !== String(crc32(body))) return 'wrong checksum'
  if (!headers.get('x-amzn-requestid')) return 'no request id'
  // Two operations on tags answer without a body.
  if (status === 200 && text === '') return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null) return 'an answer that is no object'
    const isNamed = '__type' in parsed && /^[\w.]+#\w+$/.test(String(parsed.__type))
    return status >= 400 && !isNamed ? 'an error without a name' : undefined
  } catch {
    return 'a body that is no JSON'
  }
}
