import { describe, expect, it } from 'vitest'
import { decodeGivenKey, decodeItem } from './decode-item.js'

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

describe('a key', () => {
  it('of too many attributes is decoded in part, since it fits no table', () => {
    const given = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`a${at}`, { N: '1.0' }]))
    const key = decodeGivenKey(given)
    expect(Object.keys(key).length).toBe(100)
    expect(key.a0).toEqual({ N: '1' })
  })

  it('must be an object', () => {
    expect(() => decodeGivenKey([])).toThrow('Start of list found where not expected')
  })
})

describe('a set of binary values', () => {
  it('is ordered by bytes, and the values of the request keep their order', () => {
    const input = { a: { BS: ['AQ==', 'AA==', '/w=='] } }
    expect(JSON.stringify(decodeItem(input))).toBe('{"a":{"BS":["AA==","AQ==","/w=="]}}')
    expect(input.a.BS).toEqual(['AQ==', 'AA==', '/w=='])
  })

  it('must not have a value twice', () => {
    expect(() => decodeItem({ a: { BS: ['AQ==', 'AA==', 'AQ=='] } })).toThrow('contains duplicates')
  })
})
