/** A request in the form of nearly all SDK requests: complete, in one piece, with nothing special about it. */
export interface PlainRequest {
  readonly host: string
  readonly target: string | undefined
  readonly authorization: string | undefined
  readonly body: Buffer
  /** How many of the received bytes it consists of. */
  readonly bytes: number
}

const REQUEST_LINE = Buffer.from('POST / HTTP/1.1\r\n')
const CR = 0x0d
const LF = 0x0a
const COLON = 0x3a
const SPACE = 0x20
const TAB = 0x09
const [ZERO, NINE] = [0x30, 0x39]
/** The bit in which capital and small letters differ. */
const SMALL = 0x20

const MAX_HEAD_BYTES = 8 * 1024
const MAX_BODY_DIGITS = 6

/**
 * The bytes of names and values that no two parsers could interpret differently: the characters of tokens, and visible ASCII
 * with blanks.
 */
const NAME_BYTES = bytesMatching(/[\w!#$%&'*+.^`|~-]/)
const VALUE_BYTES = bytesMatching(/[\t\x20-\x7e]/)

/** The headers that are read below. */
const READ = [
  'host',
  'content-length',
  'x-amz-target',
  'authorization',
  'content-type',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'content-encoding',
  'expect',
  'origin',
  'upgrade',
] as const
type ReadName = (typeof READ)[number]

interface SmallText {
  readonly name: ReadName
  readonly bytes: Buffer
}

/** The same names by their length. Half of the headers of SDKs are none of them, and most of those have another length. */
const READ_BY_LENGTH: (readonly SmallText[] | undefined)[] = []
for (const name of READ) {
  READ_BY_LENGTH[name.length] = [...(READ_BY_LENGTH[name.length] ?? []), { name, bytes: Buffer.from(name) }]
}

const JSON_TYPE = Buffer.from('application/x-amz-json-1.0')
/** Compressed responses are sent by the other lane. */
const IDENTITY = Buffer.from('identity')
const KEPT = Buffer.from('keep-alive')

/**
 * Parses the request that begins at `from`, if it is plain. Returns `undefined` for an incomplete request and for any
 * request that may be invalid. Node's parser then reads it, and reports errors.
 *
 * It reads bytes, because only three of the headers are needed as texts. To make a text of the head, to test it with a regular
 * expression, and to look for lines in it takes twice as long.
 */
export function plainRequestAt(received: Buffer, from: number): PlainRequest | undefined {
  if (!isExactly(received, from, REQUEST_LINE)) return undefined
  const limit = Math.min(received.length, from + MAX_HEAD_BYTES)
  let host: string | undefined
  let length: number | undefined
  let target: string | undefined
  let authorization: string | undefined
  let isJson = false
  let at = from + REQUEST_LINE.length
  while (at < limit && received[at] !== CR) {
    const colon = endOfRun(received, at, limit, NAME_BYTES)
    const lineEnd = endOfRun(received, colon + 1, limit, VALUE_BYTES)
    if (colon === at || received[colon] !== COLON || !isLineEnd(received, lineEnd)) return undefined
    const name = readName(received, at, colon)
    at = lineEnd + 2
    if (name === undefined) continue
    let first = colon + 1
    let last = lineEnd
    while (first < last && isBlank(received[first])) first++
    while (last > first && isBlank(received[last - 1])) last--
    switch (name) {
      case 'host':
        if (host !== undefined) return undefined
        host = received.toString('latin1', first, last)
        break
      case 'content-length':
        if (length !== undefined) return undefined
        length = numberIn(received, first, last)
        if (length === undefined) return undefined
        break
      case 'x-amz-target':
        if (target !== undefined) return undefined
        target = received.toString('latin1', first, last)
        break
      case 'authorization':
        if (authorization !== undefined) return undefined
        authorization = received.toString('latin1', first, last)
        break
      case 'content-type':
        if (isJson || !isInAnyCase(received, first, last, JSON_TYPE)) return undefined
        isJson = true
        break
      case 'connection':
        if (!isInAnyCase(received, first, last, KEPT)) return undefined
        break
      case 'transfer-encoding':
      case 'accept-encoding':
        if (!isInAnyCase(received, first, last, IDENTITY)) return undefined
        break
      default:
        return undefined
    }
  }
  if (!isLineEnd(received, at) || host === undefined || length === undefined || !isJson) return undefined
  const bodyFrom = at + 2
  const bodyTo = bodyFrom + length
  if (bodyTo > received.length) return undefined
  return { host, target, authorization, body: received.subarray(bodyFrom, bodyTo), bytes: bodyTo - from }
}

function bytesMatching(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0))
}

/** The place of the first byte that is none of the allowed ones. */
function endOfRun(received: Buffer, from: number, limit: number, allowed: Uint8Array): number {
  let at = from
  while (at < limit && allowed[received[at] ?? 0] === 1) at++
  return at
}

function isLineEnd(received: Buffer, at: number): boolean {
  return received[at] === CR && received[at + 1] === LF
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB
}

/** The name of a header, if it is one of those that are read. */
function readName(received: Buffer, from: number, to: number): ReadName | undefined {
  const names = READ_BY_LENGTH[to - from]
  if (names === undefined) return undefined
  for (const { name, bytes } of names) if (isInAnyCase(received, from, to, bytes)) return name
  return undefined
}

function isExactly(received: Buffer, from: number, text: Buffer): boolean {
  for (let at = 0; at < text.length; at++) if (received[from + at] !== text[at]) return false
  return true
}

/** Whether bytes of names or values are a text, of which small letters are given. */
function isInAnyCase(received: Buffer, from: number, to: number, small: Buffer): boolean {
  if (to - from !== small.length) return false
  for (let at = 0; at < small.length; at++) {
    if (((received[from + at] ?? 0) | SMALL) !== small[at]) return false
  }
  return true
}

/** The number that consists of all of these bytes, if they are a few digits. */
function numberIn(received: Buffer, from: number, to: number): number | undefined {
  if (to === from || to - from > MAX_BODY_DIGITS) return undefined
  let number = 0
  for (let at = from; at < to; at++) {
    const byte = received[at] ?? 0
    if (byte < ZERO || byte > NINE) return undefined
    number = 10 * number + byte - ZERO
  }
  return number
}
