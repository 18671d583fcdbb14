import type { ObservedRequest } from '../engine/observe-request.js'
import { boundsToText } from './bounds.js'
import type { TraceHeader, TraceRequest } from './trace-format.js'

/** The line of a request, including the line feed. Binary values become base64, as in HTTP requests. */
export function requestLine(
  { number, at, region, operation, input, outcome, account }: ObservedRequest,
  startedAt: number,
): string {
  const { takes, refusals } = account
  const line: TraceRequest = {
    number,
    at: Math.round((at - startedAt) * 1_000) / 1_000,
    region,
    operation,
    // A request that is not an object was rejected, and will be again without its content.
    request: isObject(input) ? input : {},
    outcome,
    takes,
    refusals,
  }
  return `${JSON.stringify(line, base64)}\n`
}

function isObject(input: unknown): input is object {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

export function headerLine(header: TraceHeader): string {
  return `${JSON.stringify(header, boundsToText)}\n`
}

/** `Buffer.toJSON` runs before a replacer sees the value, so the original is read from its holder. */
function base64(this: unknown, name: string, value: unknown): unknown {
  const held: unknown = typeof value === 'object' && value !== null ? Reflect.get(Object(this), name) : value
  if (!(held instanceof Uint8Array)) return value
  return Buffer.from(held.buffer, held.byteOffset, held.byteLength).toString('base64')
}
