import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyValue } from './attribute-value.js'
import { compareKeyValues } from './compare-values.js'
import { neighbourKeyValue } from './neighbour-key-value.js'
import { formatDecimal } from './number/decimal.js'

/** Few characters, with every border of the encoding among them, so that strings are often neighbours or nearly. */
const CHARACTERS = [
  '\u0000',
  '\u0001',
  'a',
  'b',
  '\u007f',
  '\u0080',
  '\u07ff',
  '\u0800',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
]
const text = fc
  .tuple(
    fc.constantFrom(0, 0, 1_020, 1_022),
    fc.array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 4 }),
  )
  .map(([before, characters]): KeyValue => ({ S: 'a'.repeat(before) + characters.join('') }))
  .filter((value) => 'S' in value && Buffer.byteLength(value.S) <= 1_024)
const bytes = fc
  .tuple(
    fc.constantFrom(0, 0, 1_020),
    fc.array(fc.constantFrom(0, 1, 127, 254, 255), { minLength: 1, maxLength: 4 }),
  )
  .map(([before, last]) => [...new Array<number>(before).fill(7), ...last])
  .chain((all) => fc.constantFrom<KeyValue>({ B: Uint8Array.from(all) }, { B: Buffer.from(all) }))
const digits = fc.oneof(
  fc.constantFrom('1', '2', '9', '10', '11', '99', '9'.repeat(38), '9'.repeat(37), `1${'0'.repeat(36)}1`),
  fc.integer({ min: 1, max: 1_000 }).map(String),
)
const number = fc
  .record({ negative: fc.boolean(), digits, exponent: fc.constantFrom(-130, -129, -2, -1, 0, 1, 125) })
  .map(
    (decimal): KeyValue => ({ N: formatDecimal({ ...decimal, digits: decimal.digits.replace(/0+$/, '') }) }),
  )
const zero = fc.constant<KeyValue>({ N: '0' })

describe.each([
  ['texts', text],
  ['bytes', bytes],
  ['numbers', fc.oneof({ weight: 9, arbitrary: number }, { weight: 1, arbitrary: zero })],
])('of %s the neighbour', (_type, value) => {
  it('lies behind, and none lies in between', () => {
    const direction = fc.constantFrom<1 | -1>(1, -1)
    fc.assert(
      fc.property(value, value, direction, (one, other, towards) => {
        const next = neighbourKeyValue(one, towards)
        const order = (a: KeyValue, b: KeyValue) => towards * (compareKeyValues(a, b) ?? Number.NaN)
        if (next === undefined) return
        expect(order(next, one)).toBeGreaterThan(0)
        if (order(other, one) > 0) expect(order(other, next)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 5_000 },
    )
  })

  it('has the value for its neighbour on the other side', () => {
    fc.assert(
      fc.property(value, (one) => {
        for (const towards of [1, -1] as const) {
          const next = neighbourKeyValue(one, towards)
          const back = next && neighbourKeyValue(next, towards === 1 ? -1 : 1)
          if (back !== undefined) expect(compareKeyValues(back, one)).toBe(0)
        }
      }),
    )
  })
})

describe('there is no neighbour', () => {
  it.each<readonly [KeyValue, 1 | -1]>([
    [{ S: '\u0000' }, -1],
    [{ S: '\u{10ffff}'.repeat(256) }, 1],
    [{ B: Uint8Array.of(0) }, -1],
    [{ B: new Uint8Array(1_024).fill(255) }, 1],
    [{ N: `${'9'.repeat(38)}${'0'.repeat(88)}` }, 1],
    [{ N: `-${'9'.repeat(38)}${'0'.repeat(88)}` }, -1],
  ])('of %o towards %i', (value, direction) => {
    expect(neighbourKeyValue(value, direction)).toBeUndefined()
  })
})

describe('the neighbour of the bytes of a Buffer', () => {
  it('is a value of its own, also of the longest one', () => {
    const longest = Buffer.alloc(1_024, 7)
    expect(neighbourKeyValue({ B: longest }, 1)).toEqual({ B: new Uint8Array(1_024).fill(7).with(1_023, 8) })
    expect(longest).toEqual(Buffer.alloc(1_024, 7))
  })
})
