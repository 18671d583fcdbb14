import type { KeyValue } from './attribute-value.js'
import { MAX_SORT_KEY_BYTES } from './limits.js'
import { neighbourNumber } from './number/neighbour-number.js'
import { utf8Length } from './utf8.js'

/** The last characters of four, three, two bytes and one byte in the order of UTF-8. */
const LAST_CHARACTERS = ['\u{10ffff}', '\uffff', '\u07ff', '\u007f']
const FIRST_SURROGATE = 0xd800
const AFTER_SURROGATES = 0xe000
const LAST_CODE_POINT = 0x10ffff

/**
 * The sort key value directly after another one in DynamoDB's order, or directly before it.
 *
 * @example
 * neighbourKeyValue({ S: 'a' }, 1) // { S: 'a\u0000' }
 * @param direction up (1) or down (-1)
 * @returns `undefined` where there is none: below the lowest value or above the highest
 */
export function neighbourKeyValue(value: KeyValue, direction: 1 | -1): KeyValue | undefined {
  if ('N' in value) {
    const number = neighbourNumber(value.N, direction)
    return number === undefined ? undefined : { N: number }
  }
  if ('S' in value) {
    const text = direction === 1 ? textBehind(value.S) : textBefore(value.S)
    return text === undefined ? undefined : { S: text }
  }
  const bytes = direction === 1 ? bytesBehind(value.B) : bytesBefore(value.B)
  return bytes === undefined ? undefined : { B: bytes }
}

/** A string of the maximum length is a prefix of no other string. */
function textBehind(text: string): string | undefined {
  if (utf8Length(text) !== MAX_SORT_KEY_BYTES) return `${text}\u0000`
  const characters = Array.from(text)
  for (;;) {
    const last = characters.pop()?.codePointAt(0)
    if (last === undefined) return undefined
    if (last === LAST_CODE_POINT) continue
    const next = last + 1 === FIRST_SURROGATE ? AFTER_SURROGATES : last + 1
    const result = characters.join('') + String.fromCodePoint(next)
    if (utf8Length(result) <= MAX_SORT_KEY_BYTES) return result
  }
}

/**
 * The last string before this one begins with the character before the last one, and is filled up with the highest
 * characters that fit.
 */
function textBefore(text: string): string | undefined {
  const characters = Array.from(text)
  const last = characters.pop()?.codePointAt(0)
  if (last === undefined) return undefined
  if (last === 0) return characters.length === 0 ? undefined : characters.join('')
  const before = last === AFTER_SURROGATES ? FIRST_SURROGATE - 1 : last - 1
  let result = characters.join('') + String.fromCodePoint(before)
  for (const [index, character] of LAST_CHARACTERS.entries()) {
    const room = Math.floor((MAX_SORT_KEY_BYTES - utf8Length(result)) / (LAST_CHARACTERS.length - index))
    result += character.repeat(Math.max(0, room))
  }
  return result
}

function bytesBehind(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length !== MAX_SORT_KEY_BYTES) {
    const result = new Uint8Array(bytes.length + 1)
    result.set(bytes)
    return result
  }
  const end = bytes.findLastIndex((byte) => byte !== 0xff)
  if (end < 0) return undefined
  // Not `slice`, which shares the memory of a Buffer.
  const result = Uint8Array.from(bytes.subarray(0, end + 1))
  result[end] = (result[end] ?? 0) + 1
  return result
}

function bytesBefore(bytes: Uint8Array): Uint8Array | undefined {
  const last = bytes.at(-1)
  if (last === undefined) return undefined
  if (last === 0) return bytes.length === 1 ? undefined : bytes.slice(0, -1)
  const result = new Uint8Array(MAX_SORT_KEY_BYTES).fill(0xff)
  result.set(bytes)
  result[bytes.length - 1] = last - 1
  return result
}
