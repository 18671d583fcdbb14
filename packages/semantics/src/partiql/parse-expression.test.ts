import { describe, expect, it } from 'vitest'
import { parseExpression } from './parse-expression.js'
import { StatementReader } from './statement-reader.js'

const NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: "

function expressionOf(text: string) {
  const reader = new StatementReader(text)
  const expression = parseExpression(reader)
  reader.finish()
  return expression
}

describe('an expression', () => {
  it.each(['*', '/', '%'])('computes %s before sums', (operator) => {
    expect(expressionOf(`a + b ${operator} c`)).toMatchObject({ operator: '+', right: { operator } })
    expect(expressionOf(`a ${operator} b - c`)).toMatchObject({ operator: '-', left: { operator } })
  })

  it.each([
    ['()', 'Unexpected term'],
    ['a "=" 1', 'Unexpected token after expression'],
    ['a AND; b', 'Unexpected term'],
  ])('is not well formed: %s', (text, detail) => {
    expect(() => expressionOf(text)).toThrow(expect.objectContaining({ message: NOT_WELL_FORMED + detail }))
  })

  it.each([
    ['COUNT(*) = 1', 'Unexpected path component at 1:1:5'],
    ['a = 1 AND EXISTS(SELECT * FROM t)', 'Unrecognized function: exists at 1:11:6'],
  ])('is refused: %s', (text, message) => {
    expect(() => expressionOf(text)).toThrow(expect.objectContaining({ message }))
  })

  it('has at most 100 levels', () => {
    const levels = (count: number) => `${'('.repeat(count - 1)}a${')'.repeat(count - 1)}`
    expect(expressionOf(levels(100))).toMatchObject({ kind: 'path', path: ['a'] })
    expect(() => expressionOf(levels(101))).toThrow(`${NOT_WELL_FORMED}The expression has too many levels`)
  })

  it('has no more levels for what stands beside it', () => {
    const side = `${'('.repeat(60)}a${')'.repeat(60)} = 1`
    expect(expressionOf(`${side} AND ${side}`)).toMatchObject({ operator: 'and' })
  })

  it('has at most 300 operators', () => {
    const sums = (count: number) => `a${' + 1'.repeat(count)}`
    expect(expressionOf(sums(300))).toMatchObject({ operator: '+' })
    expect(() => expressionOf(sums(301))).toThrow(
      expect.objectContaining({
        code: 'partiql.refused',
        message: 'The expression contains too many operators; operator count: 301',
      }),
    )
  })
})
