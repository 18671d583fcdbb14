import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../attribute-value.js'
import { bindCondition } from '../expressions/bind-condition.js'
import { matches } from '../expressions/matches.js'
import { parseCondition } from '../expressions/parse-condition.js'
import { Placeholders } from '../expressions/placeholders.js'
import { canonicalNumber } from '../number/canonical-number.js'
import { ValidationError } from '../validation-error.js'
import { bindWhere } from './bind-where.js'
import { literalItem } from './literal-value.js'
import { parseStatement } from './parse-statement.js'

const text = fc.oneof(fc.constantFrom('a', 'ab', "it's", '-- no', '?'), fc.string({ unit: 'grapheme' }))
const number = fc.oneof(
  fc.integer().map(String),
  fc
    .tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -20, max: 20 }))
    .map(([mantissa, exponent]) => canonicalNumber(`${mantissa}e${exponent}`)),
)
const name = fc
  .oneof(fc.constantFrom('a', 'b', 'select', '__proto__', "o'clock", 'a "b"'), text)
  .filter((each) => each !== '')

const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text.map((S) => ({ S })),
    number.map((N) => ({ N })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true } as const),
    fc.uniqueArray(text, { minLength: 1, maxLength: 3 }).map((SS) => ({ SS })),
    fc.uniqueArray(number, { minLength: 1, maxLength: 3 }).map((NS) => ({ NS })),
    fc.array(tie('value'), { maxLength: 3 }).map((L) => ({ L })),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }).map((M) => ({ M: { ...M } })),
  ),
}))

function quoted(string: string): string {
  return `'${string.replaceAll("'", "''")}'`
}

function literal(value: AttributeValue): string {
  if ('S' in value) return quoted(value.S)
  if ('N' in value) return value.N
  if ('BOOL' in value) return String(value.BOOL)
  if ('NULL' in value) return 'null'
  if ('SS' in value) return `<<${value.SS.map(quoted).join(', ')}>>`
  if ('NS' in value) return `<<${value.NS.join(',')}>>`
  if ('L' in value) return `[${value.L.map(literal).join(', ')}]`
  if ('M' in value) return tuple(value.M)
  throw new TypeError('The language has no literal for binary values.')
}

function tuple(item: Item): string {
  return `{${Object.entries(item).map(([key, member]) => `${quoted(key)}: ${literal(member)}`)}}`
}

describe('literals', () => {
  it('stand for the values they are written from', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (dictionary) => {
        const item = { ...dictionary }
        const { statement } = parseStatement(`INSERT INTO t VALUE ${tuple(item)}`)
        if (statement.kind !== 'insert') throw new TypeError('It is an insert.')
        expect(literalItem(statement.item, [])).toEqual(item)
      }),
    )
  })
})

/** The same condition in two languages: in a statement and in an expression. */
interface Twice {
  readonly statement: string
  readonly expression: string
}

const values: Item = {
  ':one': { N: '1' },
  ':two': { N: '2' },
  ':a': { S: 'a' },
  ':ab': { S: 'ab' },
  ':yes': { BOOL: true },
  ':none': { NULL: true },
  ':items': { L: [{ N: '1' }] },
  ':tags': { SS: ['a', 'b'] },
}
const path = fc
  .constantFrom('x', 'y', 'm.z', 'l[0]')
  .map((each): Twice => ({ statement: each, expression: each }))
const constant = fc
  .constantFrom(...Object.entries(values))
  .map(([placeholder, each]): Twice => ({ statement: literal(each), expression: placeholder }))
const operand = fc.oneof(
  path,
  constant,
  path.map(
    (each): Twice => ({ statement: `SIZE(${each.statement})`, expression: `size(${each.expression})` }),
  ),
)
const both = (parts: readonly Twice[], print: (...texts: string[]) => string): Twice => ({
  statement: print(...parts.map(({ statement }) => statement)),
  expression: print(...parts.map(({ expression }) => expression)),
})
const { condition } = fc.letrec<{ condition: Twice }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    fc
      .tuple(fc.constantFrom('=', '<>', '<', '<=', '>', '>='), operand, operand)
      .map(([operator, ...sides]) => both(sides, (left, right) => `${left} ${operator} ${right}`)),
    fc
      .tuple(operand, operand, operand)
      .map((parts) => both(parts, (a, b, c) => `${a} BETWEEN ${b} AND ${c}`)),
    fc.tuple(operand, operand, operand).map((parts) => both(parts, (a, b, c) => `${a} IN (${b}, ${c})`)),
    fc
      .tuple(fc.constantFrom('begins_with', 'contains'), operand, operand)
      .map(([name, ...parts]) => both(parts, (a, b) => `${name}(${a}, ${b})`)),
    path.map(({ statement, expression }) => ({
      statement: `${statement} IS MISSING`,
      expression: `attribute_not_exists(${expression})`,
    })),
    fc.tuple(tie('condition'), tie('condition')).map((parts) => both(parts, (a, b) => `(${a}) AND ${b}`)),
    fc.tuple(tie('condition'), tie('condition')).map((parts) => both(parts, (a, b) => `${a} OR (${b})`)),
    tie('condition').map((part) => both([part], (a) => `NOT ${a}`)),
  ),
}))
const item = fc.record(
  {
    x: value,
    y: value,
    m: fc.record({ z: value }).map((M) => ({ M })),
    l: fc.array(value, { maxLength: 2 }).map((L) => ({ L })),
  },
  { requiredKeys: [] },
)

describe('a WHERE clause', () => {
  it('asks what the condition expression asks that is written alike', () => {
    fc.assert(
      fc.property(condition, item, ({ statement, expression }, present) => {
        expect(truthOfStatement(statement, present)).toBe(truthOfExpression(expression, present))
      }),
      { numRuns: 500 },
    )
  })
})

/** True, false, or the error that refuses it. */
function truthOfStatement(where: string, present: Item): boolean | string {
  return orMessage(() => {
    const { statement } = parseStatement(`SELECT * FROM t WHERE ${where}`)
    if (statement.kind !== 'select' || statement.where === undefined)
      throw new TypeError('It has a condition.')
    return matches(bindWhere(statement.where, []), present)
  })
}

function truthOfExpression(expression: string, present: Item): boolean | string {
  return orMessage(() => {
    const used = Object.entries(values).filter(([placeholder]) =>
      new RegExp(`${placeholder}\\b`).test(expression),
    )
    const placeholders = new Placeholders({}, Object.fromEntries(used))
    const ast = parseCondition('ConditionExpression', withoutDoubles(expression))
    return matches(bindCondition('ConditionExpression', ast, placeholders), present)
  })
}

/** Expressions refuse doubled parentheses; statements allow them. */
function withoutDoubles(expression: string): string {
  const simpler = expression.replace(/\(\(([^()]*(?:\([^()]*\)[^()]*)*)\)\)/g, '($1)')
  return simpler === expression ? expression : withoutDoubles(simpler)
}

function orMessage<T>(ask: () => T): T | string {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return error.message.replace('Invalid ConditionExpression: ', '')
  }
}

describe('any text', () => {
  const token = fc.constantFrom(
    ...`SELECT INSERT UPDATE DELETE FROM INTO VALUE SET REMOVE WHERE ORDER BY AND OR NOT IN IS BETWEEN MISSING NULL
    RETURNING ALL OLD EXISTS * ? . , ; ( ) [ ] { } << >> = <> < - + : a "t" 'x' 1 1e9 size( begins_with( --
    /* */ ' " \` # @`.split(/\s+/),
  )

  it('is a statement or refused in the words of the service', () => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 25 }), (tokens) => {
        const parse = () => parseStatement(tokens.join(' '))
        try {
          expect(parse().parameterCount).toBe(
            tokens
              .join(' ')
              .replaceAll(/--.*|'[^']*'|"[^"]*"|\/\* .*? \*\//g, '')
              .split('?').length - 1,
          )
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
