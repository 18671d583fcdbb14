import { createHash } from 'node:crypto'
import type { KeyValue } from '@isotherm/semantics'

/**
 * 64 bits of a hash of the values, in order.
 *
 * Where items are stored depends on it, so it never changes: SHA-256 of each value's type letter, length and bytes. A
 * number hashes by its canonical digits, so that `1` and `1.0` are one place. Cryptographic although nobody attacks a
 * shard: it is in every Node, also in those that allow no MD5, and spreads short and similar values evenly.
 */
export function placeHash(values: readonly KeyValue[]): bigint {
  const hash = createHash('sha256')
  for (const value of values) {
    const [type = '', content = ''] = Object.entries(value)[0] ?? []
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    hash.update(`${type}${bytes.length}:`).update(bytes)
  }
  return hash.digest().readBigUInt64BE()
}
