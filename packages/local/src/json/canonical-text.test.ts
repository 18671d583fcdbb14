import { describe, expect, it } from 'vitest'
import { canonicalText } from './canonical-text.js'

describe('the canonical text of a request', () => {
  it('is that of earlier versions, whose fingerprints are stored with tokens', () => {
    expect(canonicalText({ b: [{ S: 'x y' }, {}], a: { N: '1', more: true } })).toBe(
      'map 2 1 amap 2 1 N1 14 more4 true1 blist 2 map 1 1 S3 x ymap 0 ',
    )
  })

  it.each<[string, unknown, unknown]>([
    ['for any order of the members', { a: '1', b: '2', c: '3' }, { c: '3', a: '1', b: '2' }],
    ['without members that are null', { a: null, b: '2', c: null }, { b: '2' }],
    ['without members that are undefined', { a: undefined }, {}],
    ['for bytes and their base64', { B: new Uint8Array([1, 2, 255]) }, { B: 'AQL/' }],
  ])('is the same %s', (_, one, other) => {
    expect(canonicalText(one)).toBe(canonicalText(other))
  })

  it.each<[string, unknown, unknown]>([
    ['values', { S: 'a' }, { S: 'b' }],
    ['names', { S: 'a' }, { N: 'a' }],
    ['a list and its member', ['a'], 'a'],
    ['orders of a list', ['a', 'b'], ['b', 'a']],
    ['a map and the text of its canonical form', { a: 'b' }, canonicalText({ a: 'b' })],
    ['members that one of two maps holds', { a: { b: '1' }, c: {} }, { a: {}, c: { b: '1' } }],
    ['places of a border', { ab: 'c' }, { a: 'bc' }],
  ])('differs for different %s', (_, one, other) => {
    expect(canonicalText(one)).not.toBe(canonicalText(other))
  })
})
