import { describe, expect, it } from 'vitest'
import { contains, endsAt, isAtEnd, rangeOf, upTo } from './sort-range.js'

const endOf = (prefix: Parameters<typeof prefixed>[0]) => rangeOf(prefixed(prefix)).upper
const prefixed = (prefix: { S: string } | { B: Uint8Array }) => ({ operator: 'begins_with', prefix }) as const

describe('the range of a prefix', () => {
  it('ends before the next text that does not begin with it', () => {
    expect(endOf({ S: '2026-11' })).toEqual({ value: { S: '2026-12' }, inclusive: false })
    expect(endOf({ S: 'a😀' })).toEqual({ value: { S: 'a😁' }, inclusive: false })
  })

  it('never ends in half a surrogate pair, which cannot be sent', () => {
    expect(endOf({ S: 'a\ud7ff' })).toEqual({ value: { S: 'a\ue000' }, inclusive: false })
  })

  it('carries over to the previous character, and has no end after the last possible text', () => {
    expect(endOf({ S: 'a\u{10ffff}' })).toEqual({ value: { S: 'b' }, inclusive: false })
    expect(endOf({ S: '\u{10ffff}' })).toBeUndefined()
    expect(endOf({ B: Uint8Array.of(1, 255, 255) })).toEqual({
      value: { B: Uint8Array.of(2) },
      inclusive: false,
    })
    expect(endOf({ B: Uint8Array.of(255) })).toBeUndefined()
  })

  it('is the prefix alone, if that is as long as a sort key can be', () => {
    const longest = { S: `${'k'.repeat(1_023)}\u007f` }
    expect(rangeOf(prefixed(longest))).toEqual(rangeOf({ operator: '=', value: longest }))
    expect(endOf({ S: `${'k'.repeat(1_022)}\u007f` })).toEqual({
      value: { S: `${'k'.repeat(1_022)}\u0080` },
      inclusive: false,
    })
  })
})

const number = (value: number) => ({ N: String(value) })
const between = (from: number, to: number) =>
  rangeOf({ operator: 'between', from: number(from), to: number(to) })
const below = (value: number) => rangeOf({ operator: '<', value: number(value) })

describe('a range', () => {
  it.each([
    ['=', [3]],
    ['<', [1, 2]],
    ['<=', [1, 2, 3]],
    ['>', [4, 5]],
    ['>=', [3, 4, 5]],
  ] as const)('of the condition %s 3 contains %j of 1 to 5', (operator, expected) => {
    const range = rangeOf({ operator, value: number(3) })
    expect([1, 2, 3, 4, 5].filter((value) => contains(range, number(value)))).toEqual(expected)
  })

  it('between two keys contains both of them, and what lies between', () => {
    expect([1, 2, 3, 4, 5].filter((value) => contains(between(2, 4), number(value)))).toEqual([2, 3, 4])
  })

  it('contains no key of another type, on neither side', () => {
    expect(contains(below(5), { S: '1' })).toBe(false)
    expect(contains(rangeOf({ operator: '>', value: number(5) }), { S: '9' })).toBe(false)
    expect(contains(rangeOf(undefined), { S: '1' })).toBe(true)
  })

  it('of a number that is a prefix has no end', () => {
    expect(rangeOf({ operator: 'begins_with', prefix: number(5) as never })).toEqual({
      lower: { value: number(5), inclusive: true },
      upper: undefined,
    })
  })

  it('of bytes ends behind their last byte that can be raised', () => {
    expect(endOf({ B: Uint8Array.of(1, 2) })?.value).toEqual({ B: Uint8Array.of(1, 3) })
    expect(endOf({ B: Uint8Array.of(0) })?.value).toEqual({ B: Uint8Array.of(1) })
  })

  it('of the bytes of a Buffer does not change the Buffer', () => {
    const prefix = Buffer.from([1, 2])
    expect(endOf({ B: prefix })?.value).toEqual({ B: Uint8Array.of(1, 3) })
    expect([...prefix]).toEqual([1, 2])
  })

  it('up to one of its keys keeps its beginning, in the direction of the query', () => {
    const end = { value: number(4), inclusive: true }
    expect(upTo(between(2, 6), number(4), 1)).toEqual({ ...between(2, 6), upper: end })
    expect(upTo(between(2, 6), number(4), -1)).toEqual({ ...between(2, 6), lower: end })
  })

  it('ends at its last key only, which is the first one in descending order', () => {
    expect([endsAt(between(2, 6), number(6), 1), endsAt(between(2, 6), number(2), 1)]).toEqual([true, false])
    expect([endsAt(between(2, 6), number(2), -1), endsAt(between(2, 6), number(6), -1)]).toEqual([
      true,
      false,
    ])
    expect(endsAt(rangeOf(undefined), number(2), 1)).toBe(false)
  })
})

describe('a shard that was read up to a key has nothing left', () => {
  it('at the last key of the range, if that can have only one item', () => {
    expect(isAtEnd(between(2, 6), number(6), 1, true)).toBe(true)
    expect(isAtEnd(between(2, 6), number(6), 1, false)).toBe(false)
    expect(isAtEnd(between(2, 6), number(2), -1, true)).toBe(true)
    expect(isAtEnd(between(2, 6), number(2), -1, false)).toBe(false)
  })

  it('at a bound that is not in the range, in any case', () => {
    expect(isAtEnd(below(6), number(6), 1, false)).toBe(true)
  })

  it('behind the last key', () => {
    expect(isAtEnd(between(2, 6), number(7), 1, false)).toBe(true)
    expect(isAtEnd(between(2, 6), number(1), -1, false)).toBe(true)
  })

  it('never before it, nor in a range without an end', () => {
    expect(isAtEnd(between(2, 6), number(5), 1, true)).toBe(false)
    expect(isAtEnd(between(2, 6), number(3), -1, true)).toBe(false)
    expect(isAtEnd(below(6), number(6), -1, true)).toBe(false)
  })
})
