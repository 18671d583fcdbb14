import { compareKeyValues, type KeyValue, type SortCondition } from '@isotherm/semantics'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeKey, keyLength } from './decode-key.js'
import { encodeKey, encodeKeyValue, encodePartition } from './encoded-key.js'
import { isInRange, rangeAfter, rangeOfPartition, rangeOfSegment } from './key-range.js'

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((S): KeyValue => ({ S }))
const textWithZeros = fc
  .string({ unit: fc.constantFrom('\u0000', '\u0001', 'a', '\u00ff', 'é', '😀', '\uffff') })
  .map((S): KeyValue => ({ S }))
const binary = fc.uint8Array({ maxLength: 8 }).map((B): KeyValue => ({ B }))
const number = fc
  .tuple(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.integer({ min: -90, max: 80 }))
  .map(([digits, power]): KeyValue => ({ N: plain(digits, power) }))
/** Two numbers of 38 digits that differ by a few units of the last one, or not at all. */
const neighbours = fc
  .tuple(
    fc.bigInt({ min: 10n ** 37n, max: 10n ** 38n - 10n }),
    fc.bigInt({ min: 0n, max: 9n }),
    fc.constantFrom(-1n, 1n),
    fc.integer({ min: -90, max: 80 }),
  )
  .map(([digits, difference, sign, power]): [KeyValue, KeyValue] => [
    { N: plain(sign * digits, power) },
    { N: plain(sign * (digits + difference), power) },
  ])
const pairOfOneType = fc.oneof(
  neighbours,
  fc.tuple(text, text),
  fc.tuple(textWithZeros, textWithZeros),
  fc.tuple(binary, binary),
  fc.tuple(number, number),
)

/** Prints `digits x 10^power` without an exponent and without superfluous zeros. */
function plain(digits: bigint, power: number): string {
  const negative = digits < 0n
  let whole = (negative ? -digits : digits).toString()
  if (power >= 0) whole += '0'.repeat(power)
  else {
    whole = whole.padStart(1 - power, '0')
    const cut = whole.length + power
    whole = `${whole.slice(0, cut)}.${whole.slice(cut)}`.replace(/\.?0+$/, '')
  }
  whole = whole.replace(/^0+(?=\d)/, '')
  return whole === '0' ? '0' : `${negative ? '-' : ''}${whole}`
}

const sign = (order: number | undefined) => Math.sign(order ?? Number.NaN)
const orderOf = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

describe('an encoded key', () => {
  it('decodes to the values it was made of', () => {
    fc.assert(
      fc.property(fc.oneof(pairOfOneType, fc.tuple(text, number), fc.tuple(number, binary)), ([a, b]) => {
        const key = encodeKey([a], [b], [{ S: 'base' }])
        const shown = (value: KeyValue) =>
          'S' in value ? value.S : 'N' in value ? value.N : Buffer.from(value.B).toString('base64')
        const types = [a, b].map((value) => ('S' in value ? 'S' : 'N' in value ? 'N' : 'B'))
        expect(decodeKey(key, types)).toEqual([a, b].map(shown))
        expect(key.slice(0, keyLength(key, types))).toBe(encodeKey([a], [b]))
        expect(keyLength(encodePartition([a]), types)).toBeUndefined()
      }),
    )
  })

  it('sorts as DynamoDB sorts the values', () => {
    fc.assert(
      fc.property(pairOfOneType, ([a, b]) => {
        expect(orderOf(encodeKeyValue(a), encodeKeyValue(b))).toBe(sign(compareKeyValues(a, b)))
      }),
      { numRuns: 2000 },
    )
  })

  it('holds one byte per character', () => {
    fc.assert(
      fc.property(fc.oneof(text, textWithZeros, binary, number), (value) => {
        expect([...encodeKey([value], [value])].every((character) => character.charCodeAt(0) < 256)).toBe(
          true,
        )
      }),
    )
  })

  it('is never a prefix of another value of the same type', () => {
    fc.assert(
      fc.property(pairOfOneType, ([a, b]) => {
        fc.pre(compareKeyValues(a, b) !== 0)
        expect(encodeKeyValue(b).startsWith(encodeKeyValue(a))).toBe(false)
      }),
    )
  })

  it('keeps an item collection together and apart from every other collection', () => {
    fc.assert(
      fc.property(text, text, fc.array(textWithZeros, { maxLength: 5 }), (key, other, sorts) => {
        fc.pre(encodePartition([key]) !== encodePartition([other]))
        const range = rangeOfPartition([key])
        for (const sort of sorts) {
          expect(isInRange(range, encodeKey([key], [sort]))).toBe(true)
          expect(isInRange(range, encodeKey([other], [sort]))).toBe(false)
        }
      }),
    )
  })
})

describe('a key range', () => {
  const holds = (condition: SortCondition, value: KeyValue): boolean => {
    if (condition.operator === 'between') {
      return (
        (compareKeyValues(value, condition.from) ?? 1) >= 0 &&
        (compareKeyValues(value, condition.to) ?? 1) <= 0
      )
    }
    if (condition.operator === 'begins_with') {
      return 'S' in condition.prefix && 'S' in value && value.S.startsWith(condition.prefix.S)
    }
    const order = compareKeyValues(value, condition.value) ?? Number.NaN
    if (condition.operator === '=') return order === 0
    if (condition.operator === '<') return order < 0
    if (condition.operator === '<=') return order <= 0
    return condition.operator === '>' ? order > 0 : order >= 0
  }

  it('holds exactly the keys that match the sort condition', () => {
    const operator = fc.constantFrom('=' as const, '<' as const, '<=' as const, '>' as const, '>=' as const)
    fc.assert(
      fc.property(text, pairOfOneType, operator, (key, [asked, value], op) => {
        const condition = { operator: op, value: asked }
        const range = rangeOfPartition([key], [condition])
        expect(isInRange(range, encodeKey([key], [value]))).toBe(holds(condition, value))
      }),
      { numRuns: 1000 },
    )
  })

  it('holds exactly the keys that match between and begins_with', () => {
    fc.assert(
      fc.property(text, fc.array(textWithZeros, { minLength: 3, maxLength: 3 }), (key, values) => {
        const [from = { S: '' }, to = { S: '' }] = values
          .slice(0, 2)
          .sort((a, b) => compareKeyValues(a, b) ?? 0)
        const value = values[2] ?? { S: '' }
        for (const condition of [
          { operator: 'between', from, to } as const,
          { operator: 'begins_with', prefix: from } as const,
        ]) {
          const range = rangeOfPartition([key], [condition])
          expect(isInRange(range, encodeKey([key], [value]))).toBe(holds(condition, value))
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('continues after a key, in both directions', () => {
    fc.assert(
      fc.property(text, pairOfOneType, fc.boolean(), (key, [last, other], reverse) => {
        const left = rangeAfter(rangeOfPartition([key]), encodeKey([key], [last]), reverse)
        const order = sign(compareKeyValues(other, last))
        expect(isInRange(left, encodeKey([key], [other]))).toBe(reverse ? order < 0 : order > 0)
      }),
    )
  })

  it('of segments covers every key exactly once', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 1000 }), (key, total) => {
        const encoded = encodeKey([key], [])
        const holding = Array.from({ length: total }, (_, segment) => rangeOfSegment(segment, total)).filter(
          (range) => isInRange(range, encoded),
        )
        expect(holding).toHaveLength(1)
      }),
      { numRuns: 50 },
    )
  })
})
