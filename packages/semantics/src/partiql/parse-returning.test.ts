import { describe, expect, it } from 'vitest'
import { parseReturning } from './parse-returning.js'
import { StatementReader } from './statement-reader.js'

const NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: "

function returningOf(text: string) {
  return parseReturning(new StatementReader(text))
}

describe('a RETURNING clause', () => {
  it.each([
    ['RETURNING ALL OLD *', { what: 'ALL', when: 'OLD' }],
    ['RETURNING ALL NEW *', { what: 'ALL', when: 'NEW' }],
    ['RETURNING MODIFIED OLD *', { what: 'MODIFIED', when: 'OLD' }],
    ['RETURNING MODIFIED NEW *', { what: 'MODIFIED', when: 'NEW' }],
  ])('says which attributes are returned, and from when: %s', (text, returning) => {
    expect(returningOf(text)).toEqual(returning)
  })

  it.each([
    ['RETURNING OLD *', 'Expected ALL or MODIFIED in RETURNING clause'],
    ['RETURNING ALL *', 'Expected NEW or OLD in RETURNING clause'],
    ['RETURNING ALL OLD', 'Unexpected term'],
    ['RETURNING ALL OLD;', 'Unexpected term'],
  ])('is not well formed: %s', (text, detail) => {
    expect(() => returningOf(text)).toThrow(expect.objectContaining({ message: NOT_WELL_FORMED + detail }))
  })
})
