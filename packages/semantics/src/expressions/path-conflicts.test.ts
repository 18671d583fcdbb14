import { describe, expect, it } from 'vitest'
import type { DocumentPath } from './document-path.js'
import { assertPathsApart } from './path-conflicts.js'

/** Few paths are compared pair by pair, and many are sorted first. */
describe.each([
  ['few', 0],
  ['many', 12],
])('%s paths', (_, count) => {
  const others = Array.from({ length: count }, (_, at): DocumentPath => [`other${at}`, 'x'])
  const check = (...paths: DocumentPath[]) => assertPathsApart('ProjectionExpression', [...others, ...paths])

  it('may name parts of one attribute', () => {
    expect(() => check(['a', 'b'], ['a', 'c'], ['b', 0], ['b', 1, 'x'], ['b', 1, 'y'], ['ab'])).not.toThrow()
  })

  it.each<[string, DocumentPath, DocumentPath]>([
    ['overlap', ['a', 'b'], ['a']],
    ['overlap', ['a'], ['a', 'b']],
    ['overlap', ['a', 0], ['a', 0]],
    ['conflict', ['a', 0], ['a', 'b']],
    ['conflict', ['a', 'b', 'c'], ['a', 0]],
  ])('must not %s: %j and %j', (relation, first, second) => {
    expect(() => check(first, ['z'], second)).toThrow(`Two document paths ${relation} with each other`)
  })

  it('must not be one path over and over', () => {
    const same = Array.from({ length: count + 2 }, (): DocumentPath => ['a'])
    expect(() => assertPathsApart('ProjectionExpression', same)).toThrow('path one: [a], path two: [a]')
  })

  it('are refused for the first pair', () => {
    expect(() => check(['a'], ['b'], ['b', 'x'], ['a', 'x'])).toThrow('path one: [b], path two: [b, x]')
  })
})
