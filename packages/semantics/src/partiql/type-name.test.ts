import { describe, expect, it } from 'vitest'
import { StatementReader } from './statement-reader.js'
import { parseTypeName, TYPES } from './type-name.js'

function typeOf(text: string) {
  const reader = new StatementReader(text)
  const type = parseTypeName(reader)
  reader.finish()
  return type
}

describe('a type after IS', () => {
  it.each([
    ['NULL', 'NULL'],
    ['BOOL', 'BOOL'],
    ['BOOLEAN', 'BOOL'],
    ['BLOB', 'B'],
    ['STRING', 'S'],
    ['NUMERIC', 'N'],
    ['STRUCT', 'M'],
    ['TUPLE', 'M'],
    ['LIST', 'L'],
  ])('is a type of attributes, in any case: %s', (type, attributeType) => {
    expect(typeOf(type)).toBe(type)
    expect(typeOf(type.toLowerCase())).toBe(type)
    expect(TYPES.get(type)).toBe(attributeType)
  })

  it.each(
    'BAG CLOB DATE DECIMAL DOUBLE FLOAT REAL SEXP SMALLINT SYMBOL TIME TIMESTAMP CHARACTER VARCHAR'.split(
      ' ',
    ),
  )('may be a type of the language that no attribute has: %s', (type) => {
    expect(typeOf(type)).toBe(type)
    expect(TYPES.has(type)).toBe(false)
  })

  it.each(['INT', 'INT2', 'INT4', 'INT8', 'INTEGER', 'INTEGER2', 'INTEGER4', 'INTEGER8'])(
    'has one name for integers of any size: %s',
    (type) => {
      expect(typeOf(type)).toBe('INTEGER')
    },
  )

  it('may be written shorter, or with two words', () => {
    expect(typeOf('CHAR')).toBe('CHARACTER')
    expect(typeOf('DOUBLE PRECISION')).toBe('DOUBLE PRECISION')
    expect(typeOf('CHARACTER VARYING')).toBe('CHARACTER VARYING')
  })

  it('has no second word where the language has none', () => {
    expect(() => typeOf('REAL PRECISION')).toThrow('Unexpected token after expression')
    expect(() => typeOf('DOUBLE VARYING')).toThrow('Unexpected token after expression')
  })

  it.each(['FOO', "'STRING'", '1', '(', ''])('is none that the language knows: %s', (text) => {
    expect(() => typeOf(text)).toThrow('Expected type name')
  })
})
