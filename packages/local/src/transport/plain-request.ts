/** A request in the form of nearly all SDK requests: complete, in one piece, with nothing special about it. */
export interface PlainRequest {
  readonly host: string
  readonly target: string | undefined
  readonly authorization: string | undefined
  readonly body: Buffer
  /** How many of the received bytes it consists of. */
  readonly bytes: number
}

/**
 * A request line and headers of visible ASCII, without folded lines, which no two parsers could interpret differently.
 */
const PLAIN_HEAD = /^POST \/ HTTP\/1\.1(?:\r\n[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e]*)+$/
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /^\d{1,6}$/
const MAX_HEAD_BYTES = 8 * 1024
/** Compressed responses are sent by the other lane. */
const IDENTITY = /^identity$/i
const KEPT = /^keep-alive$/i

/**
 * Parses the request that begins at `from`, if it is plain. Returns `undefined` for an incomplete request and for any
 * request that may be invalid. Node's parser then reads it, and reports errors.
 */
export function plainRequestAt(received: Buffer, from: number): PlainRequest | undefined {
  const end = received.indexOf(HEAD_END, from)
  if (end < 0 || end - from > MAX_HEAD_BYTES) return undefined
  const head = received.toString('latin1', from, end)
  if (!PLAIN_HEAD.test(head)) return undefined
  let host: string | undefined
  let length: string | undefined
  let target: string | undefined
  let authorization: string | undefined
  let contentType: string | undefined
  for (let at = head.indexOf('\r\n') + 2; at > 1; at = head.indexOf('\r\n', at) + 2) {
    const colon = head.indexOf(':', at)
    switch (head.slice(at, colon).toLowerCase()) {
      case 'host':
        if (host !== undefined) return undefined
        host = valueAt(head, colon)
        break
      case 'content-length':
        if (length !== undefined) return undefined
        length = valueAt(head, colon)
        break
      case 'x-amz-target':
        if (target !== undefined) return undefined
        target = valueAt(head, colon)
        break
      case 'authorization':
        if (authorization !== undefined) return undefined
        authorization = valueAt(head, colon)
        break
      case 'content-type':
        if (contentType !== undefined) return undefined
        contentType = valueAt(head, colon)
        break
      case 'connection':
        if (!KEPT.test(valueAt(head, colon))) return undefined
        break
      case 'transfer-encoding':
      case 'accept-encoding':
        if (!IDENTITY.test(valueAt(head, colon))) return undefined
        break
      case 'content-encoding':
      case 'expect':
      case 'origin':
      case 'upgrade':
        return undefined
    }
  }
  if (host === undefined || length === undefined || !LENGTH.test(length)) return undefined
  if (contentType !== 'application/x-amz-json-1.0') return undefined
  const bodyFrom = end + 4
  const bodyTo = bodyFrom + Number(length)
  if (bodyTo > received.length) return undefined
  return { host, target, authorization, body: received.subarray(bodyFrom, bodyTo), bytes: bodyTo - from }
}

function valueAt(head: string, colon: number): string {
  const end = head.indexOf('\r\n', colon)
  return head.slice(colon + 1, end < 0 ? undefined : end).trim()
}
