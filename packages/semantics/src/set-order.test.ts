import { describe, expect, it } from 'vitest'
import { orderedBinaries, orderedNumbers, orderedStrings } from './set-order.js'

/** All orders of three members. */
const orders = <Member>([a, b, c]: readonly [Member, Member, Member]): Member[][] => [
  [a, b, c],
  [a, c, b],
  [b, a, c],
  [b, c, a],
  [c, a, b],
  [c, b, a],
]

describe('the members of a set', () => {
  it('that are strings have the order of their UTF-8 bytes', () => {
    const sorted = ['B', 'a', '\uffff\u{10000}'] as const
    for (const members of orders(sorted)) expect(orderedStrings(members)).toEqual(sorted)
    expect(orderedStrings(['\u{10000}', '\uffff'])).toEqual(['\uffff', '\u{10000}'])
  })

  it('that are numbers have the order of their values', () => {
    const sorted = ['-10', '9', '10'] as const
    for (const members of orders(sorted)) expect(orderedNumbers(members)).toEqual(sorted)
  })

  it('that are binary have the order of their bytes, without a sign', () => {
    const sorted = [Uint8Array.of(1), Uint8Array.of(1, 0), Uint8Array.of(200)] as const
    for (const members of orders(sorted)) expect(orderedBinaries(members)).toEqual(sorted)
  })

  it('are put in order in place', () => {
    const [strings, numbers] = [
      ['b', 'a'],
      ['2', '1'],
    ]
    expect(orderedStrings(strings ?? [])).toBe(strings)
    expect(orderedNumbers(numbers ?? [])).toBe(numbers)
  })

  it('that are in order already are not written', () => {
    const strings = Object.freeze(['a', 'b', '\uffff\u{10000}']) as string[]
    const numbers = Object.freeze(['-10', '9', '10']) as string[]
    const binaries = Object.freeze([Uint8Array.of(1), Uint8Array.of(1, 0)]) as Uint8Array[]
    expect(orderedStrings(strings)).toBe(strings)
    expect(orderedNumbers(numbers)).toBe(numbers)
    expect(orderedBinaries(binaries)).toBe(binaries)
  })
})
