import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AttributeValue } from './attribute-value.js'
import { equalValues } from './equal-values.js'
import { valueText } from './value-text.js'

/** Few texts, with those that a value's text itself has, so that many values are equal or look like it. */
const text = fc.constantFrom('', '1', '1:1', 'S1:1', 'true', ':', 'L1:')
const number = fc.constantFrom('1', '11', '-1')
const bytes = fc.uint8Array({ maxLength: 2, max: 1 })

const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    text.map((S) => ({ S })),
    number.map((N) => ({ N })),
    bytes.map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant<AttributeValue>({ NULL: true }),
    fc.uniqueArray(text, { minLength: 1, maxLength: 3 }).map((SS) => ({ SS })),
    fc.uniqueArray(number, { minLength: 1 }).map((NS) => ({ NS })),
    fc.uniqueArray(bytes, { minLength: 1, maxLength: 3, selector: String }).map((BS) => ({ BS })),
    fc.array(tie('value'), { maxLength: 2 }).map((L) => ({ L })),
    fc.dictionary(text, tie('value'), { maxKeys: 2, noNullPrototype: true }).map((M) => ({ M })),
  ),
}))

it('two values have the same text exactly where they are equal', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 20 }), (values) => {
      for (const one of values)
        for (const other of values) expect(valueText(one) === valueText(other)).toBe(equalValues(one, other))
    }),
    { numRuns: 500 },
  )
})

it.each<readonly [AttributeValue, AttributeValue]>([
  [{ SS: ['b', 'a'] }, { SS: ['a', 'b'] }],
  [{ BS: [Uint8Array.of(2), Uint8Array.of(1)] }, { BS: [Uint8Array.of(1), Uint8Array.of(2)] }],
  [{ M: { b: { N: '2' }, a: { N: '1' } } }, { M: { a: { N: '1' }, b: { N: '2' } } }],
])('the order of the members of a set and of the names of a map does not count: %j', (one, other) => {
  expect(valueText(one)).toBe(valueText(other))
})

it.each<AttributeValue>([{ BOOL: true }, { BOOL: false }, { NULL: true }])(
  'the order of two elements of a list counts, also where one is %j',
  (one) => {
    for (const other of [{ BOOL: true }, { BOOL: false }, { NULL: true as const }, { S: '' }]) {
      const isEqual = equalValues(one, other)
      expect(valueText({ L: [one, other] }) === valueText({ L: [other, one] })).toBe(isEqual)
    }
  },
)
