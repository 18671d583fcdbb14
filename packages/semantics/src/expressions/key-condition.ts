import { attributeType } from '../attribute-type.js'
import type { AttributeValue, KeyType, KeyValue } from '../attribute-value.js'
import { isKeyValue } from '../compare-values.js'
import { isEmptyKey } from '../empty-key.js'
import { valueBytes } from '../item-size.js'
import { MAX_SORT_KEY_BYTES } from '../limits.js'
import { emptyKeyText, sortKeySizeText } from '../texts/keys.js'
import {
  keyConditionCountText,
  keyConditionTypeText,
  missedKeyText,
  REPEATED_KEY_CONDITION_TEXT,
  UNSUPPORTED_KEY_CONDITION_TEXT,
  unequalRangeKeysText,
} from '../texts/queries.js'
import { ValidationError } from '../validation-error.js'
import { type BoundPredicate, bindBetween, bindComparison, bindPart } from './bind-predicate.js'
import type { Comparator, ConditionAst, OperandAst } from './condition-ast.js'
import { type BoundOperand, OperandBinder } from './operand-binder.js'
import type { Placeholders } from './placeholders.js'

/** A key attribute; without a type, any key type is accepted. */
export interface KeyAttribute {
  readonly name: string
  readonly type?: KeyType
}

/** The key schema of a table or index, each part in its order. */
export interface KeyAttributes {
  readonly hash: readonly KeyAttribute[]
  readonly range: readonly KeyAttribute[]
}

/** The condition on one attribute of a sort key. */
export type SortCondition =
  | { readonly operator: '=' | '<' | '<=' | '>' | '>='; readonly value: KeyValue }
  | { readonly operator: 'between'; readonly from: KeyValue; readonly to: KeyValue }
  | { readonly operator: 'begins_with'; readonly prefix: KeyValue }

/** A key condition by attributes of the key, in the order of the key schema. */
export interface KeyCondition {
  readonly partition: readonly [KeyValue, ...KeyValue[]]
  /** As many as were given; all but the last are equalities. */
  readonly sort: readonly SortCondition[]
}

const MIRRORED: Record<Comparator, Comparator> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/**
 * Splits a key condition by the attributes of the key schema of a table or index.
 *
 * @param condition the result of `parseCondition('KeyConditionExpression', text)`.
 * @param schema the key of the queried table or index. With several key attributes, all of the hash attributes need an
 * equality. So do the first range attributes; only the last one that is given can have a range condition.
 * @throws ValidationError with the service's text for anything that a key condition cannot be.
 * @example
 * const ast = parseCondition('KeyConditionExpression', 'sk > :from AND pk = :path')
 * const placeholders = new Placeholders({}, { ':path': { S: '/' }, ':from': { N: '7' } })
 * bindKeyCondition(ast, placeholders, { hash: [{ name: 'pk' }], range: [{ name: 'sk' }] })
 * // { partition: [{ S: '/' }], sort: [{ operator: '>', value: { N: '7' } }] }
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html
 */
export function bindKeyCondition(
  condition: ConditionAst,
  placeholders: Placeholders,
  schema: KeyAttributes,
): KeyCondition {
  return readKeyCondition(condition, placeholders)(schema)
}

/**
 * The same in two steps, because operands are checked before the table is looked up.
 * @returns a function that takes the schema.
 * @throws ValidationError with the service's text for an operator or an operand that no key condition can have.
 * @example
 * const ast = parseCondition('KeyConditionExpression', 'pk = :path')
 * const conditionFor = readKeyCondition(ast, new Placeholders({}, { ':path': { S: '/' } }))
 * conditionFor({ hash: [{ name: 'pk' }], range: [] }) // { partition: [{ S: '/' }], sort: [] }
 */
export function readKeyCondition(
  condition: ConditionAst,
  placeholders: Placeholders,
): (schema: KeyAttributes) => KeyCondition {
  const conjuncts = flatten(condition)
  for (const conjunct of conjuncts) assertAllowed(conjunct)
  const binder = new OperandBinder('KeyConditionExpression', placeholders)
  const predicates = conjuncts.map((conjunct) => bound(binder, conjunct))
  return (schema) => {
    const tests = new Map<string, SortCondition>()
    for (const predicate of predicates) {
      const [name, test] = keyTest(predicate)
      if (tests.has(name)) throw refused(REPEATED_KEY_CONDITION_TEXT)
      tests.set(name, test)
    }
    const keyCount = schema.hash.length + schema.range.length
    if (tests.size > Math.max(2, keyCount)) throw refused(keyConditionCountText(tests.size, keyCount))
    return arrangeKeyCondition(tests, schema)
  }
}

/**
 * Arranges the conditions on key attributes, given by name, in the order of a key schema.
 * @throws ValidationError with the service's text when they do not form a key condition together.
 */
export function arrangeKeyCondition(
  tests: ReadonlyMap<string, SortCondition>,
  { hash, range }: KeyAttributes,
): KeyCondition {
  const partition = hash.map((attribute) => {
    const test = tests.get(attribute.name)
    if (test === undefined) throw refused(missedKeyText(attribute.name))
    if (test.operator !== '=') throw refused(UNSUPPORTED_KEY_CONDITION_TEXT)
    assertFits(attribute, [test.value])
    return test.value
  })
  if (range.length > 1) assertEqualities(tests, range)
  const sort: SortCondition[] = []
  for (const attribute of range) {
    const test = tests.get(attribute.name)
    if (test === undefined) break
    if (sort.some((earlier) => earlier.operator !== '=')) throw refused(UNSUPPORTED_KEY_CONDITION_TEXT)
    assertFits(attribute, valuesOf(test))
    if (valuesOf(test).some((value) => valueBytes(value) > MAX_SORT_KEY_BYTES))
      throw refused(sortKeySizeText())
    sort.push(test)
  }
  if (partition.length + sort.length < tests.size) {
    const next = range[sort.length]
    throw next === undefined ? refused(UNSUPPORTED_KEY_CONDITION_TEXT) : refused(missedKeyText(next.name))
  }
  // Every schema has a hash attribute.
  return { partition: partition as [KeyValue, ...KeyValue[]], sort }
}

/** A range attribute can have a condition when all attributes before it have equalities. @throws ValidationError */
function assertEqualities(tests: ReadonlyMap<string, SortCondition>, range: readonly KeyAttribute[]): void {
  const unequal: string[] = []
  for (const { name } of range) {
    const test = tests.get(name)
    if (test !== undefined && unequal.length > 0) throw refused(unequalRangeKeysText(unequal, name))
    if (test?.operator !== '=') unequal.push(name)
  }
}

function flatten(condition: ConditionAst): ConditionAst[] {
  return condition.kind === 'and' ? [...flatten(condition.left), ...flatten(condition.right)] : [condition]
}

function assertAllowed(condition: ConditionAst): void {
  const operator = forbiddenOperator(condition)
  if (operator !== undefined) throw refused(`Invalid operator used in KeyConditionExpression: ${operator}`)
  const operands = operandsOf(condition)
  if (operands.some(({ kind }) => kind === 'size')) {
    throw refused('KeyConditionExpressions cannot contain nested operations')
  }
}

function forbiddenOperator(condition: ConditionAst): string | undefined {
  if (condition.kind === 'compare') return condition.operator === '<>' ? '<>' : undefined
  if (condition.kind === 'between') return undefined
  if (condition.kind === 'function') return condition.name === 'begins_with' ? undefined : condition.name
  return condition.kind.toUpperCase()
}

function operandsOf(condition: ConditionAst): readonly OperandAst[] {
  if (condition.kind === 'compare') return [condition.left, condition.right]
  if (condition.kind === 'between') return [condition.operand, condition.from, condition.to]
  return condition.kind === 'function' ? condition.operands : []
}

/** Binds a condition that has passed `assertAllowed`. */
function bound(binder: OperandBinder, condition: ConditionAst): BoundPredicate {
  if (condition.kind === 'compare') return bindComparison(binder, condition)
  if (condition.kind === 'between') return bindBetween(binder, condition)
  if (condition.kind === 'function') return bindPart(binder, 'begins_with', condition.operands)
  throw refused(UNSUPPORTED_KEY_CONDITION_TEXT)
}

function keyTest(condition: BoundPredicate): [string, SortCondition] {
  if (condition.kind === 'compare') {
    const [path, value] =
      condition.left.kind === 'path' ? [condition.left, condition.right] : [condition.right, condition.left]
    const operator = condition.left.kind === 'path' ? condition.operator : MIRRORED[condition.operator]
    if (operator === '<>') throw refused(UNSUPPORTED_KEY_CONDITION_TEXT)
    const name = keyName(path, 'No key attribute specified')
    return [name, { operator, value: keyValue(value) }]
  }
  const lacking = (operator: string) =>
    `${operator} operator must have the key attribute as its first operand`
  if (condition.kind === 'between') {
    const name = keyName(condition.operand, lacking('BETWEEN'))
    return [name, { operator: 'between', from: keyValue(condition.from), to: keyValue(condition.to) }]
  }
  const name = keyName(condition.operand, lacking('begins_with'))
  return [name, { operator: 'begins_with', prefix: keyValue(condition.part) }]
}

function keyName(operand: BoundOperand, lacking: string): string {
  if (operand.kind !== 'path') throw refused(`Invalid condition in KeyConditionExpression: ${lacking}`)
  const [name, ...deeper] = operand.path
  if (deeper.length === 0) return name
  throw refused('KeyConditionExpressions cannot have conditions on nested attributes')
}

function keyValue(operand: BoundOperand): KeyValue {
  if (operand.kind !== 'value') {
    throw refused(
      'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
    )
  }
  if (!isKeyValue(operand.value)) throw refused(keyConditionTypeText())
  return operand.value
}

function valuesOf(test: SortCondition): readonly AttributeValue[] {
  if (test.operator === 'between') return [test.from, test.to]
  return [test.operator === 'begins_with' ? test.prefix : test.value]
}

function assertFits({ name, type }: KeyAttribute, values: readonly AttributeValue[]): void {
  for (const value of values) {
    if (type !== undefined && attributeType(value) !== type) throw refused(keyConditionTypeText())
    if (isEmptyKey(value)) {
      throw refused(emptyKeyText(name, value))
    }
  }
}

function refused(message: string): ValidationError {
  return new ValidationError('key-condition.refused', message)
}
