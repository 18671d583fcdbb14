import { describe, expect, it } from 'vitest'
import { decodeItem } from './decode-item.js'

describe('a value inside lists and maps', () => {
  const nested = (depth: number): object => (depth === 0 ? { S: 'deep' } : { L: [nested(depth - 1)] })

  it('may be nested 31 deep', () => {
    expect(Object.keys(decodeItem({ a: nested(31) }))).toEqual(['a'])
  })

  it('must not be nested 32 deep', () => {
    expect(() => decodeItem({ a: nested(32) })).toThrow(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    )
  })
})

describe('a member of a value that is not a type', () => {
  it('is ignored', () => {
    expect(decodeItem({ a: { S: 'text', X: 'x' } })).toEqual({ a: { S: 'text' } })
    expect(() => decodeItem({ a: { X: 'x' } })).toThrow('Supplied AttributeValue is empty')
    expect(() => decodeItem({ a: { S: 'text', N: '1' } })).toThrow('more than one datatypes set')
  })
})
