import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attributeType } from './attribute-type.js'
import type { AttributeValue, Item } from './attribute-value.js'
import { readUnits, writeUnits } from './capacity-units.js'
import { compareBytes, compareKeyValues, isKeyValue } from './compare-values.js'
import { isEmptyKey } from './empty-key.js'
import { equalValues } from './equal-values.js'
import { attributeBytes, itemBytes, valueBytes } from './item-size.js'
import { compareStrings, utf8Length } from './utf8.js'

const text = fc.string({ unit: 'grapheme' })
const awkward = fc.string({
  unit: fc.constantFrom('a', '\u0000', '\u007f', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '𐀀'),
})

const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.string().map((S) => ({ S })),
    fc.integer().map((number) => ({ N: String(number) })),
    fc.uint8Array({ maxLength: 4 }).map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant<AttributeValue>({ NULL: true }),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((SS) => ({ SS })),
    fc.uniqueArray(fc.integer().map(String), { minLength: 1, maxLength: 4 }).map((NS) => ({ NS })),
    fc.array(tie('value'), { maxLength: 3 }).map((L) => ({ L })),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 3, noNullPrototype: true }).map((M) => ({ M })),
  ),
}))

describe('strings', () => {
  it('sort by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.oneof(text, awkward), fc.oneof(text, awkward), (a, b) => {
        expect(Math.sign(compareStrings(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
      { numRuns: 1000 },
    )
  })

  it('sort as their code points at every border of the encoding', () => {
    const points = [
      0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x103ff, 0x10400, 0x10fffe, 0x10ffff,
    ]
    const texts = points.map((point) => String.fromCodePoint(point))
    for (const [at, one] of texts.entries()) {
      for (const [before, other] of texts.entries()) {
        expect(Math.sign(compareStrings(one, other))).toBe(Math.sign(at - before))
      }
    }
  })

  it('are as long as their UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.oneof(text, awkward, fc.string({ unit: 'binary' })), (each) => {
        expect(utf8Length(each)).toBe(Buffer.byteLength(each))
      }),
    )
    // Every character between two lengths, and the halves of pairs.
    const borders = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff]
    for (const first of borders) {
      for (const second of borders) {
        const pair = String.fromCharCode(first, second)
        expect(utf8Length(pair)).toBe(Buffer.byteLength(pair))
      }
    }
    expect(utf8Length('\ud83d')).toBe(3)
    expect(utf8Length('\ud83d'.repeat(1000))).toBe(3000)
  })
})

describe('key values', () => {
  it('sort by bytes when they are binary', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(a, b))
      }),
    )
  })

  it('have no order between types', () => {
    expect(compareKeyValues({ S: '1' }, { N: '1' })).toBeUndefined()
    expect(compareKeyValues({ N: '9' }, { N: '10' })).toBeLessThan(0)
    expect(compareKeyValues({ S: '9' }, { S: '10' })).toBeGreaterThan(0)
  })

  it('are texts, numbers and binary, and nothing else', () => {
    fc.assert(
      fc.property(value, (each) => {
        expect(isKeyValue(each)).toBe(['S', 'N', 'B'].includes(attributeType(each)))
      }),
    )
  })
})

describe('equality', () => {
  it('holds between a value and its copy, in both directions, and not between values of different JSON', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(equalValues(a, structuredClone(a))).toBe(true)
        expect(equalValues(a, b)).toBe(equalValues(b, a))
        if (JSON.stringify(sorted(a)) !== JSON.stringify(sorted(b))) expect(equalValues(a, b)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('knows no order of sets and maps, and one of lists', () => {
    expect(equalValues({ SS: ['a', 'b'] }, { SS: ['b', 'a'] })).toBe(true)
    expect(
      equalValues(
        { BS: [new Uint8Array([1]), new Uint8Array([2])] },
        { BS: [new Uint8Array([2]), new Uint8Array([1])] },
      ),
    ).toBe(true)
    expect(
      equalValues({ M: { a: { S: '1' }, b: { S: '2' } } }, { M: { b: { S: '2' }, a: { S: '1' } } }),
    ).toBe(true)
    expect(equalValues({ L: [{ S: 'a' }, { S: 'b' }] }, { L: [{ S: 'b' }, { S: 'a' }] })).toBe(false)
    expect(equalValues({ SS: ['1'] }, { NS: ['1'] })).toBe(false)
  })

  it('is not fooled by what every object inherits', () => {
    expect(equalValues({ M: { constructor: { S: 'x' } } }, { M: { other: { S: 'x' } } })).toBe(false)
  })
})

/** The same value with sets and maps in one canonical order. */
function sorted(each: AttributeValue): unknown {
  if ('SS' in each) return { SS: [...each.SS].sort() }
  if ('NS' in each) return { NS: [...each.NS].sort() }
  if ('L' in each) return { L: each.L.map(sorted) }
  if ('B' in each) return { B: [...each.B] }
  if (!('M' in each)) return each
  const names = Object.keys(each.M).sort()
  return { M: names.map((name) => [name, sorted(each.M[name] ?? { NULL: true })]) }
}

describe('a type', () => {
  it('is that of the only member, which must be there', () => {
    expect(attributeType({ BS: [] })).toBe('BS')
    expect(() => attributeType({} as AttributeValue)).toThrow('must have a member')
  })
})

describe('a key value', () => {
  it.each<[AttributeValue, boolean]>([
    [{ S: '' }, true],
    [{ B: new Uint8Array(0) }, true],
    [{ S: 'a' }, false],
    [{ B: new Uint8Array(1) }, false],
    [{ SS: [''] }, false],
  ])('of %o is empty: %s', (value, isEmpty) => {
    expect(isEmptyKey(value)).toBe(isEmpty)
  })
})

describe('the size of an item', () => {
  it("is that of AWS's own example", () => {
    expect(itemBytes({ 'shirt-color': { S: 'R' }, 'shirt-size': { S: 'M' } })).toBe(23)
  })

  it.each<[string, AttributeValue, number]>([
    ['text', { S: 'é' }, 2],
    ['binary', { B: new Uint8Array(5) }, 5],
    ['a boolean', { BOOL: false }, 1],
    ['null', { NULL: true }, 1],
    ['zero', { N: '0' }, 1],
    ['one digit', { N: '7' }, 2],
    ['two digits', { N: '27' }, 2],
    ['a negative number', { N: '-27' }, 3],
    ['a negative number of one digit', { N: '-7' }, 3],
    ['two digits that straddle', { N: '2.7' }, 3],
    ['two digits behind zeros', { N: '270' }, 3],
    ['two digits behind two zeros', { N: '2700' }, 2],
    ['two digits behind the point', { N: '0.27' }, 2],
    ['two digits that straddle behind the point', { N: '0.027' }, 3],
    ['three digits around the point', { N: '10.5' }, 3],
    ['three digits around the point, of which one is before it', { N: '1.25' }, 3],
    ['a digit behind the point', { N: '0.5' }, 2],
    ['a negative digit behind the point', { N: '-0.5' }, 3],
    ['38 digits', { N: '1'.repeat(38) }, 20],
    ['an empty list', { L: [] }, 3],
    ['a list', { L: [{ S: 'ab' }, { NULL: true }] }, 3 + (1 + 2) + (1 + 1)],
    ['a map', { M: { key: { S: 'ab' } } }, 3 + 1 + 3 + 2],
    ['a set', { SS: ['a', 'bc'] }, 3],
    ['a set of numbers', { NS: ['7', '-27'] }, 5],
    ['a set of bytes', { BS: [new Uint8Array(2), new Uint8Array(3)] }, 5],
  ])('of %s', (_, each, bytes) => {
    expect(valueBytes(each)).toBe(bytes)
  })

  it('is the sum over its attributes, names included', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value, { noNullPrototype: true }), (item: Item) => {
        const sum = Object.entries(item).reduce(
          (bytes, [name, each]) => bytes + attributeBytes(name, each),
          0,
        )
        expect(itemBytes(item)).toBe(sum)
      }),
    )
  })

  it('never falls as an attribute or a digit is added', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), value, { noNullPrototype: true }),
        fc.stringMatching(/^[a-z]{1,9}$/),
        value,
        (item: Item, name, added) => {
          const { [name]: _, ...without } = item
          expect(itemBytes({ ...without, [name]: added })).toBeGreaterThan(itemBytes(without))
        },
      ),
    )
    fc.assert(
      fc.property(
        fc.stringMatching(/^-?[1-9]{1,3}\.[1-9]{1,34}$/),
        fc.integer({ min: 1, max: 9 }),
        (N, digit) => {
          expect(valueBytes({ N: `${N}${digit}` })).toBeGreaterThanOrEqual(valueBytes({ N }))
        },
      ),
    )
  })

  it('has nothing for an attribute whose value is undefined, which is not sent', () => {
    const item = { a: { S: 'b' }, absent: undefined } as unknown as Item
    expect(itemBytes(item)).toBe(2)
    expect(valueBytes({ M: item })).toBe(3 + 1 + 2)
  })

  it('counts an attribute called __proto__ as any other', () => {
    expect(itemBytes(JSON.parse('{"__proto__":{"S":"four"}}'))).toBe(13)
  })
})

describe('capacity units', () => {
  it.each([
    [0, 1],
    [1024, 1],
    [1025, 2],
    [409_600, 400],
  ])('of a write of %i bytes are %i', (bytes, units) => {
    expect(writeUnits(bytes)).toBe(units)
    expect(writeUnits(bytes, { transactional: true })).toBe(2 * units)
  })

  it.each([
    [0, 1],
    [4096, 1],
    [4097, 2],
    [409_600, 100],
  ])('of a strong read of %i bytes are %i', (bytes, units) => {
    expect(readUnits(bytes, 'strong')).toBe(units)
    expect(readUnits(bytes, 'eventual')).toBe(units / 2)
    expect(readUnits(bytes, 'transactional')).toBe(units * 2)
  })
})
