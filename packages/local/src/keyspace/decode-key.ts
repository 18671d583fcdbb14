import { formatDecimal, type KeyType } from '@isotherm/semantics'
import { HASH_BYTES } from './encoded-key.js'

/** A value decoded from a key, and the index of the byte after it. */
interface Decoded {
  readonly text: string
  readonly end: number
}

const ZERO = 0x80
const POSITIVE = 0x81
const NEGATIVE = 255 - POSITIVE
const EXPONENT_BIAS = 130

/**
 * The length of the part of an encoded key that holds its hash and its first values. Returns `undefined` when the key
 * holds fewer values than `types`.
 */
export function keyLength(key: string, types: readonly KeyType[]): number | undefined {
  let at: number | undefined = HASH_BYTES
  for (const type of types) {
    at = at === undefined ? undefined : type === 'N' ? endOfNumber(key, at) : endOfText(key, at)
  }
  return at
}

/** Decodes the first values of a key to text: strings and numbers unchanged, binary values in base64. */
export function decodeKey(key: string, types: readonly KeyType[]): readonly string[] {
  let at = HASH_BYTES
  return types.map((type) => {
    const { text, end } = type === 'N' ? decodeNumber(key, at) : decodeText(key, at, type)
    at = end
    return text
  })
}

/** The index after the end mark, which is the bytes 0 1. Inside a text, 255 follows every 0. */
function endOfText(key: string, from: number): number | undefined {
  const end = key.indexOf('\u0000\u0001', from)
  return end < 0 ? undefined : end + 2
}

function endOfNumber(key: string, from: number): number | undefined {
  const sign = key.charCodeAt(from)
  if (sign === ZERO) return from + 1
  if (sign !== POSITIVE && sign !== NEGATIVE) return undefined
  // The exponent may be any byte, so the search for the end mark starts after it.
  const end = key.indexOf(sign === POSITIVE ? '\u0000' : '\u00ff', from + 2)
  return end < 0 ? undefined : end + 1
}

function decodeText(key: string, from: number, type: 'S' | 'B'): Decoded {
  const end = endOfText(key, from) ?? key.length
  const bytes = Buffer.from(key.slice(from, end - 2).replaceAll('\u0000\u00ff', '\u0000'), 'latin1')
  return { text: bytes.toString(type === 'S' ? 'utf8' : 'base64'), end }
}

function decodeNumber(key: string, from: number): Decoded {
  const end = endOfNumber(key, from) ?? key.length
  const sign = key.charCodeAt(from)
  if (sign === ZERO) return { text: '0', end }
  const negative = sign !== POSITIVE
  const byteAt = (at: number) => (negative ? 255 - key.charCodeAt(at) : key.charCodeAt(at))
  let digits = ''
  for (let at = from + 2; at < end - 1; at++) digits += String(byteAt(at) - 1).padStart(2, '0')
  const exponent = byteAt(from + 1) - EXPONENT_BIAS
  return { text: formatDecimal({ negative, digits: digits.replace(/0+$/, ''), exponent }), end }
}
