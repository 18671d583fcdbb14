import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../attribute-value.js'
import { ValidationError } from '../validation-error.js'
import { bindCondition } from './bind-condition.js'
import { type ConditionAst, type OperandAst, printCondition } from './condition-ast.js'
import type { PathAst, PathStep } from './document-path.js'
import { matches } from './matches.js'
import { parseCondition } from './parse-condition.js'
import { Placeholders } from './placeholders.js'

const names: { [placeholder: string]: string } = { '#n': 'n', '#x': 'x' }
const values: Item = {
  ':1': { N: '1' },
  ':2': { N: '2' },
  ':a': { S: 'a' },
  ':ab': { S: 'ab' },
  ':N': { S: 'N' },
  ':b': { B: new Uint8Array([97]) },
  ':list': { L: [{ N: '1' }] },
  ':set': { SS: ['a', 'b'] },
  ':true': { BOOL: true },
}

const name = fc.constantFrom('n', 's', 'l', 'm', 'x', 'q')
const firstStep: fc.Arbitrary<PathStep> = fc.oneof(
  name.map((name) => ({ name })),
  fc.constantFrom('#n', '#x').map((placeholder) => ({ placeholder })),
)
const nextStep = fc.oneof(
  firstStep,
  fc.nat(2).map((index) => ({ index })),
)
const path: fc.Arbitrary<PathAst> = fc
  .tuple(firstStep, fc.array(nextStep, { maxLength: 2 }))
  .map(([first, rest]) => ({ kind: 'path', steps: [first, ...rest] }))
const simple = fc.oneof(
  path,
  fc.constantFrom(...Object.keys(values)).map((placeholder) => ({ kind: 'value' as const, placeholder })),
)
const operand: fc.Arbitrary<OperandAst> = fc.oneof(
  { weight: 6, arbitrary: simple },
  { weight: 1, arbitrary: simple.map((operand) => ({ kind: 'size' as const, operand })) },
)
const test: fc.Arbitrary<ConditionAst> = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    operator: fc.constantFrom('=', '<>', '<', '<=', '>', '>='),
    left: operand,
    right: operand,
  }),
  fc.record({ kind: fc.constant('between' as const), operand, from: operand, to: operand }),
  fc.record({
    kind: fc.constant('in' as const),
    operand,
    options: fc.array(operand, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('function' as const),
    name: fc.constantFrom('attribute_exists', 'attribute_not_exists'),
    operands: fc.tuple(path),
  }),
  fc.record({
    kind: fc.constant('function' as const),
    name: fc.constantFrom('begins_with', 'contains', 'attribute_type'),
    operands: fc.tuple(operand, operand),
  }),
)
const { condition } = fc.letrec<{ condition: ConditionAst }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    test,
    fc.record({
      kind: fc.constantFrom('and', 'or'),
      left: tie('condition'),
      right: tie('condition'),
    }),
    fc.record({ kind: fc.constant('not' as const), condition: tie('condition') }),
  ),
}))

const scalar: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.integer({ min: -2, max: 3 }).map((number) => ({ N: String(number) })),
  fc.constantFrom('', 'a', 'ab', 'b').map((text) => ({ S: text })),
  fc.uint8Array({ maxLength: 2 }).map((bytes) => ({ B: bytes })),
  fc.boolean().map((flag) => ({ BOOL: flag })),
  fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((members) => ({ SS: members })),
)
const { value, item } = fc.letrec<{ value: AttributeValue; item: Item }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }).map((elements) => ({ L: elements })),
    tie('item').map((members) => ({ M: members })),
  ),
  item: fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}))

/** A slow second implementation of the rules: no binding, plain JavaScript values, one case a line. */
function holds(condition: ConditionAst, item: Item): boolean {
  const at = (operand: OperandAst) => slowValue(operand, item)
  switch (condition.kind) {
    case 'and':
      return [condition.left, condition.right].every((each) => holds(each, item))
    case 'or':
      return [condition.left, condition.right].some((each) => holds(each, item))
    case 'not':
      return holds(condition.condition, item) === false
    case 'compare':
      return slowCompare(condition.operator, at(condition.left), at(condition.right))
    case 'between':
      return (
        slowCompare('<=', at(condition.from), at(condition.operand)) &&
        slowCompare('<=', at(condition.operand), at(condition.to))
      )
    case 'in':
      return condition.options.some((option) => slowCompare('=', at(condition.operand), at(option)))
    case 'function':
      return slowFunction(condition.name, condition.operands.map(at))
  }
}

function slowFunction(name: string, [first, second]: (AttributeValue | undefined)[]): boolean {
  if (name === 'attribute_exists') return first !== undefined
  if (name === 'attribute_not_exists') return first === undefined
  if (first === undefined || second === undefined) return false
  const [[type, content]] = Object.entries(first) as [[string, unknown]]
  const [[otherType, part]] = Object.entries(second) as [[string, unknown]]
  if (name === 'attribute_type') return type === part
  if (name === 'contains' && Array.isArray(content)) {
    return content.some((member) => same(type === 'L' ? member : { [type.charAt(0)]: member }, second))
  }
  if (type !== otherType || (type !== 'S' && type !== 'B')) return false
  const [whole, sought] = [hex(content), hex(part)]
  const found = whole.indexOf(sought)
  return name === 'begins_with' ? whole.startsWith(sought) : found >= 0
}

function slowCompare(
  operator: string,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  if (operator === '=') return left !== undefined && right !== undefined && same(left, right)
  if (operator === '<>') return !slowCompare('=', left, right)
  const [a, b] = [order(left), order(right)]
  if (a === undefined || b === undefined || typeof a !== typeof b || kind(left) !== kind(right)) return false
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  return operator === '>' ? a > b : a >= b
}

function slowValue(operand: OperandAst, item: Item): AttributeValue | undefined {
  if (operand.kind === 'value') return values[operand.placeholder]
  if (operand.kind === 'path') {
    let here: unknown = { M: item }
    for (const step of operand.steps) {
      const inside = here as { L?: unknown[]; M?: Item } | undefined
      const key = 'name' in step ? step.name : 'placeholder' in step ? (names[step.placeholder] ?? '') : ''
      here = 'index' in step ? inside?.L?.[step.index] : new Map(Object.entries(inside?.M ?? {})).get(key)
    }
    return here as AttributeValue | undefined
  }
  const sized = slowValue(operand.operand, item)
  if (sized === undefined || ['N', 'BOOL', 'NULL'].includes(kind(sized) ?? '')) return undefined
  const [content] = Object.values(sized) as [string | Uint8Array | object]
  if (typeof content === 'string') return { N: String(Buffer.byteLength(content)) }
  return { N: String(Object.keys(content).length) }
}

const kind = (value: AttributeValue | undefined) => (value === undefined ? undefined : Object.keys(value)[0])
const hex = (content: unknown) => Buffer.from(content as string | Uint8Array).toString('latin1')
const same = (a: unknown, b: unknown) => sorted(a) === sorted(b)
const sorted = (value: unknown) =>
  JSON.stringify(value, (key, inner) => {
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString('hex')
    if (key === 'SS') return [...inner].sort()
    if (key !== 'M') return inner
    return Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))
  })

function order(value: AttributeValue | undefined): number | string | undefined {
  if (value === undefined) return undefined
  if ('N' in value) return Number(value.N)
  if ('S' in value) return value.S
  return 'B' in value ? hex(value.B) : undefined
}

describe('a condition', () => {
  it('is printed as text that reads as the same condition', () => {
    fc.assert(
      fc.property(condition, (ast) => {
        expect(parseCondition('FilterExpression', printCondition(ast))).toEqual(ast)
      }),
    )
  })

  it('holds just when a slow reading of the rules says so', () => {
    let judged = 0
    fc.assert(
      fc.property(condition, item, (ast, item) => {
        const bound = bindOrRefuse(ast)
        if (bound === undefined) return
        judged++
        expect(matches(bound, item)).toBe(holds(ast, item))
      }),
      { numRuns: 2000 },
    )
    expect(judged).toBeGreaterThan(400)
  })

  it('with any value in it is bound or refused by a validation error', () => {
    fc.assert(
      fc.property(condition, value, (ast, value) => {
        const placeholders = new Placeholders(names, { ...values, ':1': value })
        try {
          bindCondition('ConditionExpression', ast, placeholders)
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError)
        }
      }),
    )
  })
})

function bindOrRefuse(ast: ConditionAst) {
  try {
    return bindCondition('ConditionExpression', ast, new Placeholders(names, values))
  } catch (error) {
    if (error instanceof ValidationError) return undefined
    throw error
  }
}
