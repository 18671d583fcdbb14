import { describe, expect, it } from 'vitest'
import { rangeOf } from './sort-range.js'

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
})
