import { describe, expect, it } from 'vitest'
import type { AttributeValue } from './attribute-value.js'
import { bytesAsText, equalValues } from './equal-values.js'

const bytes = (...members: number[]) => Uint8Array.from(members)

describe('two values', () => {
  it.each<[string, AttributeValue, AttributeValue]>([
    ['texts', { S: 'a' }, { S: 'ab' }],
    ['numbers', { N: '1' }, { N: '10' }],
    ['bytes', { B: bytes(1) }, { B: bytes(1, 0) }],
    ['booleans', { BOOL: true }, { BOOL: false }],
    ['lists', { L: [{ S: 'a' }] }, { L: [{ S: 'a' }, { S: 'b' }] }],
    ['maps', { M: { a: { S: 'a' } } }, { M: { a: { S: 'a' }, b: { S: 'b' } } }],
    ['maps of other names', { M: { a: { S: 'a' } } }, { M: { b: { S: 'a' } } }],
    ['sets of texts', { SS: ['a'] }, { SS: ['a', 'b'] }],
    ['sets of numbers', { NS: ['1'] }, { NS: ['1', '2'] }],
    ['sets of bytes', { BS: [bytes(1)] }, { BS: [bytes(1), bytes(2)] }],
    ['sets with another member', { SS: ['a', 'b'] }, { SS: ['a', 'c'] }],
    ['sets of bytes with another member', { BS: [bytes(1), bytes(2)] }, { BS: [bytes(1), bytes(3)] }],
  ])('of which one is the beginning of the other, or differs in its end, are not equal: %s', (_, a, b) => {
    expect([equalValues(a, b), equalValues(b, a)]).toEqual([false, false])
    expect([equalValues(a, structuredClone(a)), equalValues(b, structuredClone(b))]).toEqual([true, true])
  })

  const ALL: readonly AttributeValue[] = [
    { S: '1' },
    { N: '1' },
    { B: bytes(49) },
    { BOOL: true },
    { NULL: true },
    { L: [] },
    { M: {} },
    { SS: ['1'] },
    { NS: ['1'] },
    { BS: [bytes(49)] },
  ]

  it('of different types are never equal', () => {
    for (const a of ALL) {
      for (const b of ALL) expect(equalValues(a, structuredClone(b))).toBe(a === b)
    }
  })

  const numbers = (last: number) => [...Array.from({ length: 99 }, (_, at) => at), last]
  it.each<[string, (last: number) => AttributeValue]>([
    ['lists', (last) => ({ L: numbers(last).map((each) => ({ N: String(each) })) })],
    ['sets of texts', (last) => ({ SS: numbers(last).map(String) })],
    ['sets of bytes', (last) => ({ BS: numbers(last).map((each) => bytes(each)) })],
  ])(
    'with many members are equal to some and not to others, however often they are compared: %s',
    (_, of) => {
      const [one, same, other] = [of(100), of(100), of(101)]
      for (let round = 0; round < 2; round++) {
        expect([equalValues(one, same), equalValues(same, one)]).toEqual([true, true])
        expect([equalValues(one, other), equalValues(other, one)]).toEqual([false, false])
      }
    },
  )
})

describe('the text of bytes', () => {
  it('has one character for each byte', () => {
    expect(bytesAsText(bytes())).toBe('')
    expect(bytesAsText(bytes(0, 65, 255))).toBe('\u0000A\u00ff')
  })
})
