import { crc32 } from 'node:zlib'
import type { RawAnswer } from './answer-reader.js'

/** What a stack or a path of the program looks like; nothing that the fuzzer sends does. */
const INSIDE = /\n\s+at \S|\.[cm]?[jt]s:\d|node:internal|node_modules/

/** What is wrong with an answer, whatever was asked; nothing when it is as an answer should be. */
export function faultOf({ status, headers, body }: RawAnswer): string | undefined {
  if (!(status >= 200 && status < 500)) return `status ${status}`
  const text = body.toString()
  if (INSIDE.test(text)) return 'the answer shows the inside of the program'
  if (headers.get('content-type') !== 'application/x-amz-json-1.0') {
    return status >= 400 ? 'an error that is no JSON' : undefined
  }
  if (headers.get('x-amz-crc32') !== String(crc32(body))) return 'wrong checksum'
  if (!headers.get('x-amzn-requestid')) return 'no request id'
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null) return 'an answer that is no object'
    const isNamed = '__type' in parsed && /^[\w.]+#\w+$/.test(String(parsed.__type))
    return status >= 400 && !isNamed ? 'an error without a name' : undefined
  } catch {
    return 'a body that is no JSON'
  }
}
