import { describe, expect, it } from 'vitest'
import { parseStatement } from './parse-statement.js'

const NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: "

function statementOf(text: string) {
  return parseStatement(text).statement
}

describe('a SELECT statement', () => {
  it('has no members for the clauses that it leaves out', () => {
    expect(statementOf('SELECT * FROM t')).toStrictEqual({ kind: 'select', table: 't', order: [] })
    expect(statementOf('SELECT a FROM t')).toStrictEqual({
      kind: 'select',
      table: 't',
      order: [],
      columns: [['a']],
    })
  })

  it('may say ALL before its columns', () => {
    expect(statementOf('SELECT ALL * FROM t')).toEqual(statementOf('SELECT * FROM t'))
    expect(statementOf('SELECT ALL a, b FROM t')).toEqual(statementOf('SELECT a, b FROM t'))
  })

  it.each([
    ['a', false],
    ['a ASC', false],
    ['a DESC', true],
  ])('is in the order that it asks for: ORDER BY %s', (order, descending) => {
    expect(statementOf(`SELECT * FROM t ORDER BY ${order}`)).toMatchObject({
      order: [{ name: 'a', descending }],
    })
  })

  it.each([
    ['SELECT COUNT(*) FROM t.i', '1:8:5'],
    ['SELECT foo(*) FROM t.i', '1:8:3'],
    ['SELECT a, COUNT(*) FROM t.i', '1:11:5'],
    ['SELECT 1, COUNT(*) FROM t.i', '1:8:1'],
    ['SELECT size(a) FROM t.i', '1:8:4'],
  ])('notes the first column of an index that is no path: %s', (text, refusedColumn) => {
    expect(statementOf(text)).toMatchObject({ table: 't', index: 'i', refusedColumn })
  })

  it.each([
    ["SELECT 'a'(*) FROM t", 'Expected keyword FROM'],
    ['SELECT * FROM date', 'Unexpected keyword'],
    ['SELECT * FROM t ORDER a', 'Expected keyword BY'],
    ['SELECT * FROM t ORDER BY', 'Unexpected term'],
    ['SELECT * FROM t ORDER BY a DESC ASC', 'Unexpected token after expression'],
    ['SELECT * FROM t[0]', 'Expected identifier for simple path'],
    ['SELECT * FROM t; SELECT * FROM t', 'Unexpected token after expression'],
  ])('is not well formed: %s', (text, detail) => {
    expect(() => parseStatement(text)).toThrow(expect.objectContaining({ message: NOT_WELL_FORMED + detail }))
  })

  it.each(["'t'", '1', "('t')", '<<1>>', "{'a': 1}", '?'])('cannot read from a value: %s', (source) => {
    expect(() => parseStatement(`SELECT * FROM ${source}`)).toThrow('Unexpected from source')
  })

  it.each([
    ['SELECT * FROM t AT x', 'Aliasing is not supported'],
    ['SELECT * FROM t BY x', 'Aliasing is not supported'],
    ['SELECT * FROM t HAVING a', 'Unsupported clause: HAVING at 1:24:1'],
    ['SELECT * FROM t ORDER BY 1', 'Unexpected path component at 1:26:1'],
    ['SELECT * FROM t ORDER BY size(a)', 'Unexpected path component at 1:26:4'],
  ])('is refused: %s', (text, message) => {
    expect(() => parseStatement(text)).toThrow(expect.objectContaining({ message }))
  })
})
