import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import type { JsonValue } from './item.js'
import { itemOfPlain, plainText } from './plain-item.js'

const numRuns = inject('trials') === 'many' ? 2_000 : 100

const values: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string().map((S): JsonValue => ({ S })),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }).map(
      // DynamoDB has no negative zero, and nothing smaller than 1e-130.
      (value): JsonValue => ({ N: String(Math.abs(value) < 1e-100 ? 0 : value) }),
    ),
    fc.boolean().map((BOOL): JsonValue => ({ BOOL })),
    fc.constant<JsonValue>({ NULL: true }),
    fc.array(tie('value'), { maxLength: 4 }).map((L): JsonValue => ({ L })),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }).map((M): JsonValue => ({ M })),
  ),
})).value

describe('an item as plain JSON', () => {
  it('is the same item again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), values), (drawn) => {
        const item = JSON.parse(JSON.stringify(drawn))
        const text = plainText(item)
        if (text === undefined) throw new Error('It can be plain.')
        expect(itemOfPlain(text)).toEqual(item)
      }),
      { numRuns },
    )
  })

  it.each([
    [{ SS: ['a'] }],
    [{ B: 'AA==' }],
    [{ N: '12345678901234567890' }],
    [{ N: '0.12345678901234567890123' }],
    [{ N: '1e-300' }],
    [{ L: [{ M: { deep: { NS: ['1'] } } }] }],
  ])('does not exist, if it would lose something: %j', (value) => {
    expect(plainText({ id: { S: 'a' }, value })).toBeUndefined()
  })

  it.each([
    ['{ "id": "a", "n": 12345678901234567890 }', /12345678901234567890 has more digits/],
    ['{ "id": "a", "n": 1e999 }', /1e999/],
    ['["a"]', /An item is an object/],
    ['{ "id": ', /JSON/],
  ])('is refused: %s', (text, message) => {
    expect(() => itemOfPlain(text)).toThrow(message)
  })

  it('may have any digits in its texts', () => {
    expect(itemOfPlain('{ "id": "12345678901234567890 \\" 99999999999999999999" }')).toEqual({
      id: { S: '12345678901234567890 " 99999999999999999999' },
    })
  })
})
