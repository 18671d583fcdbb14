import { describe, expect, it } from 'vitest'
import { parsePath } from './parse-path.js'
import { StatementReader } from './statement-reader.js'

const NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: "

function pathOf(text: string) {
  return parsePath(new StatementReader(text)).path
}

describe('a path', () => {
  it.each([
    ['a', ['a']],
    ['a.b[0]."c d"', ['a', 'b', 0, 'c d']],
    [`a['b']`, ['a', 'b']],
    ['"a ""b"""', ['a "b"']],
    ['a[10]', ['a', 10]],
    ['a[2147483647]', ['a', 2_147_483_647]],
  ])('has the steps that it is written with: %s', (text, path) => {
    expect(pathOf(text)).toEqual(path)
  })

  it('has at most 32 levels', () => {
    const levels = (count: number) => Array(count).fill('a').join('.')
    expect(pathOf(levels(32))).toHaveLength(32)
    expect(() => pathOf(levels(33))).toThrow(
      'The document path has too many nesting levels; nesting levels: 33',
    )
  })

  it.each([
    ['a[*]', 'Unexpected operator'],
    ['a[date]', 'Unexpected keyword'],
    ['a[]', 'Unexpected term'],
    ['a[', 'Unexpected term'],
  ])('is not well formed: %s', (text, detail) => {
    expect(() => pathOf(text)).toThrow(expect.objectContaining({ message: NOT_WELL_FORMED + detail }))
  })

  it.each([
    ['""', 'Path component cannot be an empty string'],
    ['a.""', 'Path component cannot be an empty string'],
    [`a['']`, 'Path component cannot be an empty string'],
    ['a[b]', 'Unexpected path component at 1:3:1'],
    ['a[?]', 'Unexpected path component at 1:3:1'],
    ['a[1', 'Unexpected path component at 1:4:0'],
    ['a[1.5]', 'Unexpected path component at 1:3:3'],
    ['a[.5]', 'Unexpected path component at 1:3:2'],
    ['a[1e1]', 'Unexpected path component at 1:3:3'],
    [`a[-'b']`, 'Unexpected path component at 1:3:1'],
    ['a[-1]', 'List index is not within the allowable range; index: [-1] at 1:4:1'],
    ['a[2147483648]', 'List index is not within the allowable range; index: [2147483648] at 1:3:10'],
  ])('is refused: %s', (text, message) => {
    expect(() => pathOf(text)).toThrow(expect.objectContaining({ message }))
  })
})
