import { describe, expect, it } from 'vitest'
import { printCondition } from './condition-ast.js'
import { parseCondition } from './parse-condition.js'
import { reservedWordText } from './reserved-words.js'

const parse = (text: string) => parseCondition('ConditionExpression', text, reservedWordText)
const shape = (text: string) => printCondition(parse(text))

describe('a condition', () => {
  it('binds NOT tighter than AND, and AND tighter than OR', () => {
    expect(parse('NOT a = :a AND b = :b OR c = :c')).toMatchObject({
      kind: 'or',
      left: { kind: 'and', left: { kind: 'not' } },
      right: { kind: 'compare' },
    })
  })

  it('gives the first AND after BETWEEN to BETWEEN', () => {
    expect(parse('a BETWEEN :a AND :b AND c = :c')).toMatchObject({ kind: 'and', left: { kind: 'between' } })
  })

  it('keeps placeholders as they were written', () => {
    expect(parse('#a.b[2] = :v')).toEqual({
      kind: 'compare',
      operator: '=',
      left: { kind: 'path', steps: [{ placeholder: '#a' }, { name: 'b' }, { index: 2 }] },
      right: { kind: 'value', placeholder: ':v' },
    })
  })

  it('takes keywords in any case, but functions only in their own', () => {
    expect(shape('a bEtWeEn :a aNd :b oR nOt c iN (:c)')).toBe('a BETWEEN :a AND :b OR NOT c IN (:c)')
    expect(() => parse('Begins_With(a, :a)')).toThrow('Invalid function name; function: Begins_With')
  })

  it('does not care for white space', () => {
    expect(shape(' a\n=\t:v  and(size (b)<:n)')).toBe('a = :v AND size(b) < :n')
  })

  it('is printed with those parentheses alone that it needs', () => {
    expect(shape('((a = :a) AND (b = :b)) AND c = :c')).toBe('a = :a AND b = :b AND c = :c')
    expect(shape('NOT (NOT (a = :a)) OR (b = :b OR c = :c)')).toBe('NOT NOT a = :a OR (b = :b OR c = :c)')
  })

  it('allows parentheses around operands', () => {
    expect(shape('((a) = (:v)) AND (size((b))) > :n')).toBe('a = :v AND size(b) > :n')
  })
})

describe('a condition that breaks the grammar', () => {
  it.each([
    ['a =', '<EOF>', '='],
    ['a = = :v', '=', '= = :v'],
    ['a = :v b', 'b', ':v b'],
    ['a $ :v', '$', 'a $ :v'],
    ['(a = :v', '<EOF>', ':v'],
    ['a = :v)', ')', ':v)'],
    ['  = :v', '=', '  = :v'],
    [' ', '<EOF>', ' '],
    ['a', '<EOF>', 'a'],
    ['a AND b = :v', 'AND', 'a AND b'],
    ['a IN ()', ')', '()'],
    ['a[b] = :v', 'b', '[b]'],
    ['a[-1] = :v', '-', '[-1'],
    ['a[01] = :v', '1', '01]'],
    ['_a = :v', '_', '_a'],
    ['a + b = :v', '+', 'a + b'],
    ['a != :v', '!', 'a !='],
    ['set = :v', 'set', 'set ='],
    ['a.and = :v', 'and', '.and ='],
    ['size(l)[0] = :v', '[', ')[0'],
    ['n = (n = :v)', '=', 'n = :v'],
    ['(n = :v) = :v', '=', ') = :v'],
    ['#f(a) = :v', '(', '#f(a'],
    ['set(a) = :v', 'set', 'set('],
  ])('%s: at %s', (text, token, near) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        message: `Invalid ConditionExpression: Syntax error; token: "${token}", near: "${near}"`,
      }),
    )
  })

  it('has a code that says so', () => {
    expect(() => parse('a =')).toThrow(expect.objectContaining({ code: 'expression.invalid' }))
  })

  it('is reported before anything else that is wrong with it', () => {
    expect(() => parse('status = foo(a) AND')).toThrow('Syntax error; token: "<EOF>", near: "AND"')
  })
})

describe('a condition that cannot be', () => {
  const wide = (count: number) => `a IN (${Array(count).fill(':v').join(', ')})`
  const long = (count: number) => Array(count).fill('a = :v').join(' OR ')

  it.each([
    ['', 'The expression can not be empty;'],
    ['status = :v', 'Attribute name is a reserved keyword; reserved keyword: status'],
    ['size(a)', 'The function is not allowed to be used this way in an expression; function: size'],
    [
      'contains(a, :v) = :v',
      'The function is not allowed to be used this way in an expression; function: contains',
    ],
    ['foo(a) AND status = :v', 'Invalid function name; function: foo'],
    ['status = :v AND foo(a)', 'Attribute name is a reserved keyword; reserved keyword: status'],
    [
      'list_append(a, :v) = :v',
      'The function is not allowed in a condition expression; function: list_append',
    ],
    [
      'begins_with(a)',
      'Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1',
    ],
    [
      'attribute_exists(:v)',
      'Operator or function requires a document path; operator or function: attribute_exists',
    ],
    [
      'size(size(a)) = :v',
      'Incorrect operand type for operator or function; operator or function: size, operand type: N',
    ],
    ['((a = :v))', 'The expression has redundant parentheses;'],
    ['NOT ((a)) = :v', 'The expression has redundant parentheses;'],
    ['a[2147483648] = :v', 'List index is not within the allowable range; index: [2147483648]'],
    [`a${'.b'.repeat(32)} = :v`, 'The document path has too many nesting levels; nesting levels: 33'],
    [wide(101), 'The IN operator is provided with too many operands; number of operands: 101'],
    [long(151), 'The expression contains too many operators; operator count: 301'],
    [
      `a = :v${' '.repeat(4091)}`,
      'Expression size has exceeded the maximum allowed size; expression size: 4097',
    ],
  ])('%s', (text, what) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ message: `Invalid ConditionExpression: ${what}` }),
    )
  })

  it('is allowed right up to the limits', () => {
    expect(() => parse(wide(100))).not.toThrow()
    expect(() => parse(long(150))).not.toThrow()
    expect(() => parse(`a = :v${' '.repeat(4090)}`)).not.toThrow()
    expect(() => parse(`a${'.b'.repeat(31)} = :v`)).not.toThrow()
    expect(() => parse('a[2147483647] = :v')).not.toThrow()
  })

  it('names the parameter it stands in', () => {
    expect(() => parseCondition('FilterExpression', '')).toThrow('Invalid FilterExpression: ')
  })

  it('does not overflow the stack, however deep it is', () => {
    expect(() => parse('('.repeat(4096))).toThrow('redundant parentheses')
    expect(() => parse(`${'NOT '.repeat(1000)}a = :v`)).toThrow('too many operators')
  })

  it('may have parentheses around each operator and operand, inside one another and side by side', () => {
    const inside = `${'(NOT '.repeat(299)}((a) = :v)${')'.repeat(299)}`
    expect(() => parse(inside)).not.toThrow()
    const beside = Array(150).fill('((a)=(:v))').join('OR')
    expect(() => parse(beside)).not.toThrow()
  })
})

/** The service checks names and functions from left to right, and then the operands of the functions. */
describe('of several errors in a condition', () => {
  const deep = `a${'.b'.repeat(32)}`

  it.each([
    ['begins_with(a) AND foo(a)', 'Invalid function name; function: foo'],
    ['begins_with(a) AND status = :v', 'Attribute name is a reserved keyword; reserved keyword: status'],
    [`begins_with(a) AND ${deep} = :v`, 'The document path has too many nesting levels; nesting levels: 33'],
    [
      'begins_with(a) AND a[2147483648] = :v',
      'List index is not within the allowable range; index: [2147483648]',
    ],
    [
      'begins_with(a) AND size(a)',
      'The function is not allowed to be used this way in an expression; function: size',
    ],
    ['status = :v AND begins_with(a)', 'Attribute name is a reserved keyword; reserved keyword: status'],
  ])('those of names and functions come first: %s', (text, what) => {
    expect(() => parse(text)).toThrow(`Invalid ConditionExpression: ${what}`)
  })

  it.each([
    [
      'contains(a) AND begins_with(a)',
      'Incorrect number of operands for operator or function; operator or function: contains, number of operands: 1',
    ],
    [
      'contains(foo(a), :v) = :v',
      'The function is not allowed to be used this way in an expression; function: contains',
    ],
    [
      'begins_with(size(size(a)))',
      'Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1',
    ],
    [
      'size(size(a, b)) = :v',
      'Incorrect operand type for operator or function; operator or function: size, operand type: N',
    ],
    [
      'attribute_exists(size(size(a)))',
      'Operator or function requires a document path; operator or function: attribute_exists',
    ],
  ])('the leftmost of its kind is reported: %s', (text, what) => {
    expect(() => parse(text)).toThrow(`Invalid ConditionExpression: ${what}`)
  })

  it('too many operands of IN are reported before an operand among them', () => {
    const options = [...Array(100).fill(':v'), 'size(size(b))']
    expect(() => parse(`a IN (${options.join(', ')})`)).toThrow('The IN operator is provided with too many')
  })
})
