import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAttributeValue, toItem } from './to-attribute-value.js'
import { toPlainItem } from './to-plain-value.js'

const sets = fc.oneof(
  fc.uniqueArray(fc.string(), { minLength: 1 }).map((members) => new Set(members)),
  fc.uniqueArray(fc.integer(), { minLength: 1 }).map((members) => new Set(members)),
  fc.uint8Array().map((bytes) => new Set([bytes])),
)
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -(2 ** 53) + 1, max: 2 ** 53 - 1 })
  .filter((each) => each === 0 || Math.abs(each) >= 1e-130)
/** Of 38 digits at most. */
const whole = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })
const leaf = fc.oneof(fc.string(), number, whole, fc.boolean(), fc.constant(null), fc.uint8Array(), sets)
/** The SDK loses an attribute with the first name, and takes a map with the second for an instance of a class. */
const name = fc.string({ minLength: 1 }).filter((text) => !['__proto__', 'constructor'].includes(text))

const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('any')), fc.dictionary(name, tie('any'))),
})).any
const item = fc.dictionary(name, value)

describe('plain values', () => {
  it('may have an attribute with the name of a prototype', () => {
    const given = JSON.parse('{"__proto__":"a","m":{"__proto__":"b"}}')
    const stored = toItem('item', given)
    expect(Object.keys(stored)).toEqual(['__proto__', 'm'])
    expect(JSON.stringify(toPlainItem(stored))).toBe(JSON.stringify(given))
  })

  it('become the attribute values that the SDK makes of them, and come back as it brings them back', () => {
    fc.assert(
      fc.property(item, (plain) => {
        // A dictionary of fast-check may have no prototype, which the SDK takes for a class.
        const given = structuredClone(plain)
        const stored = toItem('item', given)
        expect(stored).toEqual(marshall(given))
        expect(toPlainItem(stored)).toEqual(unmarshall(stored))
      }),
    )
  })

  it.each([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['NaN', Number.NaN],
    ['an infinite number', Number.POSITIVE_INFINITY],
    ['a number whose digits are lost', 2 ** 60],
    ['an empty set', new Set()],
    ['a set of several types', new Set(['a', 1])],
    ['a date', new Date(0)],
    ['a map of JavaScript', new Map()],
  ])('are refused for %s, by the name of its place', (_name, bad) => {
    expect(() => toItem('the item', { list: [{ bad }] })).toThrow(
      expect.objectContaining({
        code: 'pattern.value',
        details: expect.objectContaining({ place: 'the item.list[0].bad' }),
      }),
    )
  })

  it('are refused for a list with a position that has no member', () => {
    const list = [1]
    list[2] = 3
    expect(() => toItem('the item', { list })).toThrow(
      expect.objectContaining({
        code: 'pattern.value',
        message: expect.stringContaining('list[1] is undefined'),
      }),
    )
  })

  it('are refused for an object that contains itself', () => {
    const endless: Record<string, unknown> = {}
    endless.list = [endless]
    for (const convert of [toItem, toAttributeValue])
      expect(() => convert('the item', endless)).toThrow(
        expect.objectContaining({
          code: 'pattern.value',
          message: expect.stringContaining('not inside of itself'),
        }),
      )
  })
})
