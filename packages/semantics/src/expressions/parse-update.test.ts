import { describe, expect, it } from 'vitest'
import { parseUpdate } from './parse-update.js'
import { reservedWordText } from './reserved-words.js'
import { printUpdate } from './update-ast.js'

describe('an update', () => {
  it('has its sections in any order and case', () => {
    expect(printUpdate(parseUpdate('delete d :s add c :n remove b, #x[0] set a = :v'))).toBe(
      'SET a = :v REMOVE b, #x[0] ADD c :n DELETE d :s',
    )
  })

  it('keeps placeholders as they were written', () => {
    expect(parseUpdate('SET #a = if_not_exists(#a, :zero) + :one').set).toEqual([
      {
        path: { kind: 'path', steps: [{ placeholder: '#a' }] },
        value: {
          kind: 'plus',
          left: {
            kind: 'if_not_exists',
            path: { kind: 'path', steps: [{ placeholder: '#a' }] },
            fallback: { kind: 'value', placeholder: ':zero' },
          },
          right: { kind: 'value', placeholder: ':one' },
        },
      },
    ])
  })

  it.each([
    ['SET a = (n + :v)', 'SET a = n + :v'],
    ['SET a = ((n) + (:v))', 'SET a = n + :v'],
    ['SET a = (if_not_exists(q, (:v))) - (n)', 'SET a = if_not_exists(q, :v) - n'],
    ['SET a = (list_append(l, :v))', 'SET a = list_append(l, :v)'],
  ])('allows parentheses: %s', (text, printed) => {
    expect(printUpdate(parseUpdate(text))).toBe(printed)
  })
})

describe('an update that breaks the grammar', () => {
  it.each([
    ['SET', '<EOF>', 'SET'],
    ['SET a = ', '<EOF>', '= '],
    ['SET a = :v,', '<EOF>', ','],
    ['FOO a = :v', 'FOO', 'FOO a'],
    ['SET a = n + n + :v', '+', 'n + :v'],
    ['SET a = (n + :v) + :v', '+', ') + :v'],
    ['SET a = n + (n + :v)', '+', 'n + :v'],
    ['SET a = (n - :v) + :v', '+', ') + :v'],
    ['SET a = #f(l)', '(', '#f(l'],
    ['SET a = if_not_exists(n, :v + :v)', '+', ':v + :v'],
    ['SET a == :v', '=', '== :v'],
    ['SET a = -:v', '-', '= -:v'],
    ['SET set = :v', 'set', 'SET set ='],
    ['SET _a = :v', '_', 'SET _a'],
    ['REMOVE a b', 'b', 'a b'],
    ['REMOVE :v', ':v', 'REMOVE :v'],
    ['ADD n n', 'n', 'n n'],
    ['ADD a = :v', '=', 'a = :v'],
    [' ', '<EOF>', ' '],
  ])('%s: at %s', (text, token, near) => {
    expect(() => parseUpdate(text, reservedWordText)).toThrow(
      expect.objectContaining({
        message: `Invalid UpdateExpression: Syntax error; token: "${token}", near: "${near}"`,
      }),
    )
  })
})

describe('an update that cannot be', () => {
  it.each([
    ['', 'The expression can not be empty;'],
    ['SET a = :v SET b = :v', 'The "SET" section can only be used once in an update expression;'],
    ['SET status = :v', 'Attribute name is a reserved keyword; reserved keyword: status'],
    ['SET a = foo(l)', 'Invalid function name; function: foo'],
    ['SET a = size(l)', 'The function is not allowed in an update expression; function: size'],
    [
      'SET a = list_append(l)',
      'Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1',
    ],
    [
      'SET a = if_not_exists(n, :v, :v)',
      'Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 3',
    ],
    [
      'SET a = if_not_exists(:v, :v)',
      'Operator or function requires a document path; operator or function: if_not_exists',
    ],
    [
      'SET a = list_append(list_append(l, :v), :v)',
      'The function is not allowed to be used this way in an expression; function: list_append',
    ],
    [
      'SET a = list_append(l, :v) + :v',
      'The function is not allowed to be used this way in an expression; function: list_append',
    ],
    ['SET a = ((:v))', 'The expression has redundant parentheses;'],
    [
      `SET ${Array.from({ length: 301 }, (_, index) => `a${index}=n+n`).join(',')}`,
      'The expression contains too many operators; operator count: 301',
    ],
  ])('%s', (text, what) => {
    expect(() => parseUpdate(text, reservedWordText)).toThrow(
      expect.objectContaining({ message: `Invalid UpdateExpression: ${what}` }),
    )
  })
})

/** The service checks names and functions from left to right, and then the operands of the functions. */
describe('of several errors in an update', () => {
  const misused = 'The function is not allowed to be used this way in an expression; function: list_append'

  it.each([
    ['SET a = if_not_exists(:v, :v), b = foo(l)', 'Invalid function name; function: foo'],
    ['SET a = if_not_exists(:v, :v), b = list_append(l, l) + :v', misused],
    ['SET a = foo(list_append(l, l), l)', 'Invalid function name; function: foo'],
  ])('those of names and functions come first: %s', (text, what) => {
    expect(() => parseUpdate(text)).toThrow(`Invalid UpdateExpression: ${what}`)
  })

  it.each([
    [
      'SET a = list_append(if_not_exists(:v, :v))',
      'Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1',
    ],
    [
      'SET a = if_not_exists(if_not_exists(n), :v)',
      'Operator or function requires a document path; operator or function: if_not_exists',
    ],
  ])('the leftmost of its kind is reported: %s', (text, what) => {
    expect(() => parseUpdate(text)).toThrow(`Invalid UpdateExpression: ${what}`)
  })
})

describe('an update of more than 4 KB', () => {
  it('is refused without its size, unlike other expressions', () => {
    expect(() => parseUpdate(`REMOVE ${'a'.repeat(4090)}`)).toThrow(
      expect.objectContaining({
        message: 'Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;',
      }),
    )
  })
})
