import { describe, expect, it } from 'vitest'
import type { Item } from '../attribute-value.js'
import { type AttributeNames, Placeholders } from './placeholders.js'
import { bindProjection, parseProjection, printProjection, project, projectionOf } from './projection.js'
import { reservedWordText } from './reserved-words.js'

const item: Item = {
  a: { M: { b: { L: [{ N: '2' }, { N: '4' }, { M: { x: { S: 'hi' }, y: { S: 'yo' } } }] }, c: { N: '5' } } },
  b: { S: 'hello' },
  'a.b': { S: 'dotted' },
}

const keep = (text: string, names: AttributeNames = {}) =>
  project(bindProjection(parseProjection(text, reservedWordText), new Placeholders(names)), item)

describe('a projection', () => {
  it.each<[string, Item]>([
    ['b', { b: { S: 'hello' } }],
    ['a.c, b', { a: { M: { c: { N: '5' } } }, b: { S: 'hello' } }],
    ['a.b[2].y', { a: { M: { b: { L: [{ M: { y: { S: 'yo' } } }] } } } }],
    ['a.b[1], a.b[0]', { a: { M: { b: { L: [{ N: '2' }, { N: '4' }] } } } }],
    [
      'a.b[2].y, a.c, a.b[0]',
      { a: { M: { b: { L: [{ N: '2' }, { M: { y: { S: 'yo' } } }] }, c: { N: '5' } } } },
    ],
    ['a.x, a.b[0], x, a.b[3].x', { a: { M: { b: { L: [{ N: '2' }] } } } }],
  ])('keeps %s', (text, kept) => {
    expect(keep(text)).toEqual(kept)
  })

  it.each([
    'x',
    'a.b[3]',
    'a.x',
    'a.x.y',
    'a.b.x',
    'a[0]',
    'a.b[0].x',
    'a.b[0][0]',
    'toString',
    'a.toString',
  ])('finds nothing at %s', (text) => {
    expect(keep(text)).toEqual({})
  })

  it('takes a placeholder for one name, dots and all', () => {
    expect(keep('#n', { '#n': 'a.b' })).toEqual({ 'a.b': { S: 'dotted' } })
    expect(keep('#n.#m', { '#n': 'a', '#m': 'c' })).toEqual({ a: { M: { c: { N: '5' } } } })
  })

  it('of paths that overlap can be made, since others refuse them', () => {
    expect(() => projectionOf([['a'], ['a', 'b'], ['c', 0], ['c']])).not.toThrow()
  })

  it('is printed as it can be read', () => {
    expect(printProjection(parseProjection(' a . b [2],#c'))).toBe('a.b[2], #c')
  })
})

describe('a projection is refused', () => {
  it.each([
    ['', 'The expression can not be empty;'],
    ['a,', 'Syntax error; token: "<EOF>", near: ","'],
    ['a,,b', 'Syntax error; token: ",", near: ",,b"'],
    ['a b', 'Syntax error; token: "b", near: "a b"'],
    [':v', 'Syntax error; token: ":v", near: ":v"'],
    ['size(a)', 'Syntax error; token: "(", near: "size(a"'],
    ['status', 'Attribute name is a reserved keyword; reserved keyword: status'],
    ['#a', 'An expression attribute name used in the document path is not defined; attribute name: #a'],
    [
      'a.b, c, a',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a]',
    ],
    [
      'a.b, a[1]',
      'Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]',
    ],
  ])('%s', (text, what) => {
    expect(() => keep(text)).toThrow(
      expect.objectContaining({ message: `Invalid ProjectionExpression: ${what}` }),
    )
  })
})
