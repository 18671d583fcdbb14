import { hash } from 'node:crypto'
import type { KeyValue } from '@isotherm/semantics'

/** Four bits each. */
const HEX_DIGITS = 16

/**
 * Returns 64 bits of a hash of the values, in order.
 *
 * The place of every stored item depends on this hash, so it never changes: SHA-256 of each value's type letter, length and
 * bytes. A number is hashed by its canonical digits, so `1` and `1.0` have the same place. The hash need not be cryptographic.
 * SHA-256 is used because every build of Node has it, including those that forbid MD5, and it spreads short and similar values
 * evenly.
 */
export function placeHash(values: readonly KeyValue[]): bigint {
  // Hashing one concatenated input is several times faster than updating a hash piece by piece, and every request needs a hash.
  let whole: string | Uint8Array = ''
  for (const value of values) whole = joined(whole, piece(value))
  // The digest is read as text: allocating a buffer would double the time.
  return BigInt(`0x${hash('sha256', whole).slice(0, HEX_DIGITS)}`)
}

function joined(a: string | Uint8Array, b: string | Uint8Array): string | Uint8Array {
  return typeof a === 'string' && typeof b === 'string'
    ? a + b
    : Buffer.concat([Buffer.from(a), Buffer.from(b)])
}

function piece(value: Readonly<Record<string, string | Uint8Array>>): string | Uint8Array {
  for (const type in value) {
    const content = value[type] ?? ''
    if (typeof content === 'string') return `${type}${Buffer.byteLength(content)}:${content}`
    return Buffer.concat([Buffer.from(`${type}${content.length}:`), content])
  }
  return '0:'
}
