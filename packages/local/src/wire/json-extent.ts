/** The bytes of JSON that say where values begin and end. */
export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const LETTER_U = 0x75
export const CLOSE_LIST = 0x5d
export const OPEN_STRUCTURE = 0x7b
export const CLOSE_STRUCTURE = 0x7d

/** No number, literal or mistake in a request is longer. What follows is read as something else, and refused. */
const MAX_WORD_BYTES = 64 * 1024
/** The digits of an escape such as `\u20ac`. */
const ESCAPED_DIGITS = 4

/** The place behind white space, or where the search ends. */
export function skipSpace(body: Buffer, from: number, before = body.length): number {
  let at = from
  while (at < before && isSpace(body[at])) at++
  return at
}

/**
 * Where the value ends that begins at a place, without a check of what is in it.
 *
 * @param before where lists, structures and texts must end.
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
  if (first === QUOTE) return endOfText(body, from, before)
  if (first !== OPEN_LIST && first !== OPEN_STRUCTURE) return endOfWord(body, from)
  // A long text ends the search, because each list and structure around it would look through all of it again.
  const piece = body.subarray(0, before)
  let depth = 0
  for (let at = from; at < piece.length; at++) {
    const byte = piece[at]
    if (byte === QUOTE) {
      const behind = endOfText(piece, at, before)
      if (behind === undefined) return undefined
      at = behind - 1
    } else if (byte === OPEN_LIST || byte === OPEN_STRUCTURE) {
      if (++depth > maxDepth) return 'deep'
    } else if ((byte === CLOSE_LIST || byte === CLOSE_STRUCTURE) && --depth === 0) return at + 1
  }
  return undefined
}

/** The place behind a text, or `undefined` when it does not end in time. */
export function endOfText(body: Buffer, from: number, before: number): number | undefined {
  const quote = body.indexOf(QUOTE, from + 1)
  if (quote < 0 || quote >= before) return undefined
  // Most texts end at their first quote. This search is native.
  if (body[quote - 1] !== BACKSLASH) return quote + 1
  const end = endOfTextPiece(body, from + 1, before)
  return body[end] === QUOTE && end < before ? end + 1 : undefined
}

/**
 * Where a piece of a text ends: at the quote behind the text, at the first place from `before` that is not inside a character or
 * an escape, or at the end of the body.
 */
export function endOfTextPiece(body: Buffer, from: number, before: number): number {
  let at = from
  while (at < body.length && body[at] !== QUOTE && (at < before || isInsideCharacter(body[at]))) {
    if (body[at] !== BACKSLASH) at++
    else at += body[at + 1] === LETTER_U ? 2 + ESCAPED_DIGITS : 2
  }
  return Math.min(at, body.length)
}

/** Whether a byte of UTF-8 continues a character. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** The place behind a number, a literal, or something that is neither. */
function endOfWord(body: Buffer, from: number): number {
  const before = Math.min(body.length, from + MAX_WORD_BYTES)
  let at = from
  while (at < before && !isSpace(body[at]) && !isPunctuation(body[at])) at++
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isPunctuation(byte: number | undefined): boolean {
  return byte === COMMA || byte === COLON || byte === CLOSE_LIST || byte === CLOSE_STRUCTURE
}
