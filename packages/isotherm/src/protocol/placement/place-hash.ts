import { hash } from 'node:crypto'
import type { KeyValue } from '@isotherm/semantics'

/** Four bits each. */
const HEX_DIGITS = 16

/**
 * 64 bits of a hash of the values, in order.
 *
 * Where items are stored depends on it, so it never changes: SHA-256 of each value's type letter, length and bytes. A
 * number hashes by its canonical digits, so that `1` and `1.0` are one place. Cryptographic although nobody attacks a
 * shard: it is in every Node, also in those that allow no MD5, and spreads short and similar values evenly.
 */
export function placeHash(values: readonly KeyValue[]): bigint {
  // Hashed in one piece: that is several times faster than to feed a hash bit by bit, and every request asks for one.
  const pieces = values.map(piece)
  const isText = pieces.every((each) => typeof each === 'string')
  const whole = isText ? pieces.join('') : Buffer.concat(pieces.map((each) => Buffer.from(each)))
  // As text: a buffer of its own would take as long again.
  return BigInt(`0x${hash('sha256', whole).slice(0, HEX_DIGITS)}`)
}

function piece(value: KeyValue): string | Uint8Array {
  const [type = '', content = ''] = Object.entries(value)[0] ?? []
  if (typeof content === 'string') return `${type}${Buffer.byteLength(content)}:${content}`
  return Buffer.concat([Buffer.from(`${type}${content.length}:`), content])
}
