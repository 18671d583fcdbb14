/** The bytes of JSON that say where values begin and end. */
export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
export const CLOSE_LIST = 0x5d
export const OPEN_STRUCTURE = 0x7b
export const CLOSE_STRUCTURE = 0x7d

/** The place behind white space. */
export function skipSpace(body: Buffer, from: number): number {
  let at = from
  while (isSpace(body[at])) at++
  return at
}

/**
 * Where the value ends that begins at a place, without a check of what is in it.
 *
 * @param before where lists and structures must end. A text that is the value itself may be longer.
 * @param maxDepth how deep lists and structures may be nested.
 * @returns the place behind the value, `undefined` when it does not end in time, or `'deep'` when it is nested too deep.
 */
export function endOfValue(
  body: Buffer,
  from: number,
  before: number,
  maxDepth: number,
): number | 'deep' | undefined {
  const first = body[from]
  if (first === QUOTE) return endOfText(body, from)
  if (first !== OPEN_LIST && first !== OPEN_STRUCTURE) return endOfWord(body, from)
  // A long text ends the search, because each list and structure around it would look through all of it again.
  const piece = body.subarray(0, before)
  let depth = 0
  for (let at = from; at < piece.length; at++) {
    const byte = piece[at]
    if (byte === QUOTE) {
      const behind = endOfText(piece, at)
      if (behind === undefined) return undefined
      at = behind - 1
    } else if (byte === OPEN_LIST || byte === OPEN_STRUCTURE) {
      if (++depth > maxDepth) return 'deep'
    } else if ((byte === CLOSE_LIST || byte === CLOSE_STRUCTURE) && --depth === 0) return at + 1
  }
  return undefined
}

/** The place behind a text, or `undefined` when it has no end. */
export function endOfText(body: Buffer, from: number): number | undefined {
  const quote = body.indexOf(QUOTE, from + 1)
  if (quote < 0) return undefined
  // Most texts end at their first quote. This search is native.
  if (body[quote - 1] !== BACKSLASH) return quote + 1
  for (let at = from + 1; at < body.length; at++) {
    const byte = body[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
  }
  return undefined
}

/** The place behind a number, a literal, or something that is neither. */
function endOfWord(body: Buffer, from: number): number {
  let at = from
  while (at < body.length && !isSpace(body[at]) && !isPunctuation(body[at])) at++
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isPunctuation(byte: number | undefined): boolean {
  return byte === COMMA || byte === COLON || byte === CLOSE_LIST || byte === CLOSE_STRUCTURE
}
