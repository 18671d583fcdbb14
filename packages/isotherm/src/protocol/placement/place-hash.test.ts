import { createHash } from 'node:crypto'
import type { KeyValue } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { placeHash } from './place-hash.js'

/** The first eight bytes of SHA-256 over these bytes, as a number. */
function first64Bits(...bytes: readonly (string | readonly number[])[]): bigint {
  const whole = Buffer.concat(bytes.map((part) => Buffer.from(part)))
  return createHash('sha256').update(whole).digest().readBigUInt64BE()
}

const NO_TEXT = [0, 255, 128]

describe('the hash of a place', () => {
  it.each<[string, readonly KeyValue[], bigint]>([
    ['a text', [{ S: 'käse' }], first64Bits('S5:käse')],
    ['a number', [{ N: '42' }], first64Bits('N2:42')],
    ['bytes that are no text', [{ B: new Uint8Array(NO_TEXT) }], first64Bits('B3:', NO_TEXT)],
    ['two texts', [{ S: 'a' }, { S: 'b' }], first64Bits('S1:aS1:b')],
    ['a text and bytes', [{ S: 'a' }, { B: new Uint8Array(NO_TEXT) }], first64Bits('S1:aB3:', NO_TEXT)],
    ['bytes and a text', [{ B: new Uint8Array(NO_TEXT) }, { S: 'a' }], first64Bits('B3:', NO_TEXT, 'S1:a')],
    ['an empty text', [{ S: '' }], first64Bits('S0:')],
    ['nothing', [], first64Bits('')],
  ])('is of the type letter, the length in bytes and the bytes of %s', (_name, values, expected) => {
    expect(placeHash(values)).toBe(expected)
  })
})
