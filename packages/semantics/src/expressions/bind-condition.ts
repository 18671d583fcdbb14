import { ATTRIBUTE_TYPES, attributeType } from '../attribute-type.js'
import type { AttributeType, AttributeValue } from '../attribute-value.js'
import { compareKeyValues, isKeyValue } from '../compare-values.js'
import type { ValidationError } from '../validation-error.js'
import type { Comparator, ConditionAst, ConditionFunction, OperandAst } from './condition-ast.js'
import { comparePaths, type DocumentPath, describePath } from './document-path.js'
import { type ExpressionParameter, invalid } from './lexer.js'
import type { Placeholders } from './placeholders.js'

/** An operand whose placeholders are resolved. */
export type BoundOperand =
  | { readonly kind: 'path'; readonly path: DocumentPath }
  | { readonly kind: 'value'; readonly value: AttributeValue }
  | { readonly kind: 'size'; readonly operand: BoundOperand }

/** A condition whose placeholders are resolved and whose values have types that can be compared. */
export type BoundCondition =
  | { readonly kind: 'and' | 'or'; readonly left: BoundCondition; readonly right: BoundCondition }
  | { readonly kind: 'not'; readonly condition: BoundCondition }
  | {
      readonly kind: 'compare'
      readonly operator: Comparator
      readonly left: BoundOperand
      readonly right: BoundOperand
    }
  | {
      readonly kind: 'between'
      readonly operand: BoundOperand
      readonly from: BoundOperand
      readonly to: BoundOperand
    }
  | { readonly kind: 'in'; readonly operand: BoundOperand; readonly options: readonly BoundOperand[] }
  | { readonly kind: 'exists'; readonly path: BoundOperand; readonly wanted: boolean }
  | { readonly kind: 'type'; readonly operand: BoundOperand; readonly type: AttributeType }
  | { readonly kind: 'begins_with' | 'contains'; readonly operand: BoundOperand; readonly part: BoundOperand }

const ORDERED_TYPES: ReadonlySet<AttributeType> = new Set<AttributeType>(['S', 'N', 'B'])
const PREFIX_TYPES: ReadonlySet<AttributeType> = new Set<AttributeType>(['S', 'B'])
const UNSIZED_TYPES: ReadonlySet<AttributeType> = new Set<AttributeType>(['N', 'BOOL', 'NULL'])

/**
 * Resolves a condition's placeholders and checks what can be checked without an item.
 *
 * @param parameter where the condition stands, for the texts of errors.
 * @throws ValidationError with the service's text: a placeholder is not defined, a value has a type that the operator
 * or function never takes, the bounds of BETWEEN are the wrong way round, one path is compared with itself.
 * @example
 * const ast = parseCondition('ConditionExpression', 'attribute_not_exists(pk) OR #v < :v')
 * bindCondition('ConditionExpression', ast, new Placeholders({ '#v': 'version' }, { ':v': { N: '7' } }))
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
export function bindCondition(
  parameter: ExpressionParameter,
  condition: ConditionAst,
  placeholders: Placeholders,
): BoundCondition {
  return new ConditionBinder(parameter, placeholders).bind(condition)
}

class ConditionBinder {
  readonly #parameter: ExpressionParameter
  readonly #placeholders: Placeholders

  constructor(parameter: ExpressionParameter, placeholders: Placeholders) {
    this.#parameter = parameter
    this.#placeholders = placeholders
  }

  bind(condition: ConditionAst): BoundCondition {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return { kind: condition.kind, left: this.bind(condition.left), right: this.bind(condition.right) }
      case 'not':
        return { kind: 'not', condition: this.bind(condition.condition) }
      case 'compare':
        return this.#compare(condition.operator, condition.left, condition.right)
      case 'between':
        return this.#between(condition.operand, condition.from, condition.to)
      case 'in': {
        const operand = this.#operand(condition.operand)
        const options = condition.options.map((option) => this.#operand(option))
        this.#assertDistinct('IN', operand, options)
        return { kind: 'in', operand, options }
      }
      case 'function':
        return this.#function(condition.name, condition.operands)
    }
  }

  #compare(operator: Comparator, leftAst: OperandAst, rightAst: OperandAst): BoundCondition {
    const left = this.#operand(leftAst)
    const right = this.#operand(rightAst)
    if (operator !== '=' && operator !== '<>') {
      this.#assertType(operator, left, ORDERED_TYPES)
      this.#assertType(operator, right, ORDERED_TYPES)
    }
    this.#assertDistinct(operator, left, [right])
    return { kind: 'compare', operator, left, right }
  }

  #between(operandAst: OperandAst, fromAst: OperandAst, toAst: OperandAst): BoundCondition {
    const [operand, from, to] = [this.#operand(operandAst), this.#operand(fromAst), this.#operand(toAst)]
    for (const each of [operand, from, to]) this.#assertType('BETWEEN', each, ORDERED_TYPES)
    if (from.kind === 'value' && to.kind === 'value') this.#assertBounds(from.value, to.value)
    this.#assertDistinct('BETWEEN', operand, [from, to])
    return { kind: 'between', operand, from, to }
  }

  #assertBounds(from: AttributeValue, to: AttributeValue): void {
    const order = isKeyValue(from) && isKeyValue(to) ? compareKeyValues(from, to) : undefined
    if (order !== undefined && order <= 0) return
    const rule =
      order === undefined
        ? 'same data type for lower and upper bounds'
        : 'upper bound to be greater than or equal to lower bound'
    throw this.#invalid(
      `The BETWEEN operator requires ${rule}; lower bound operand: AttributeValue: ${describeKey(from)}, upper bound operand: AttributeValue: ${describeKey(to)}`,
    )
  }

  #function(name: ConditionFunction, operandAsts: readonly OperandAst[]): BoundCondition {
    const [operand, part] = operandAsts.map((ast) => this.#operand(ast))
    if (operand === undefined) throw new TypeError(`${name} was parsed without an operand.`)
    if (part === undefined) return { kind: 'exists', path: operand, wanted: name === 'attribute_exists' }
    if (name === 'attribute_type') return { kind: 'type', operand, type: this.#typeName(part) }
    if (name === 'begins_with') {
      this.#assertType(name, operand, PREFIX_TYPES)
      this.#assertType(name, part, PREFIX_TYPES)
    }
    this.#assertDistinct(name, operand, [part])
    return { kind: name === 'contains' ? 'contains' : 'begins_with', operand, part }
  }

  #typeName(operand: BoundOperand): AttributeType {
    if (operand.kind === 'size') throw this.#wrongType('attribute_type', 'N')
    if (operand.kind === 'path') throw this.#wrongType('attribute_type', `{${ATTRIBUTE_TYPES.join(',')}}`)
    const { value } = operand
    if (!('S' in value)) throw this.#wrongType('attribute_type', attributeType(value))
    const type = ATTRIBUTE_TYPES.find((each) => each === value.S)
    if (type !== undefined) return type
    throw this.#invalid(
      `Invalid attribute type name found; type: ${value.S}, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}`,
    )
  }

  #operand(ast: OperandAst): BoundOperand {
    if (ast.kind === 'path') return { kind: 'path', path: this.#placeholders.path(this.#parameter, ast) }
    if (ast.kind === 'value') {
      return { kind: 'value', value: this.#placeholders.value(this.#parameter, ast.placeholder) }
    }
    const operand = this.#operand(ast.operand)
    if (operand.kind === 'value' && UNSIZED_TYPES.has(attributeType(operand.value))) {
      throw this.#wrongType('size', attributeType(operand.value))
    }
    return { kind: 'size', operand }
  }

  #assertType(operator: string, operand: BoundOperand, allowed: ReadonlySet<AttributeType>): void {
    if (operand.kind === 'path') return
    const type = operand.kind === 'size' ? 'N' : attributeType(operand.value)
    if (!allowed.has(type)) throw this.#wrongType(operator, type)
  }

  #assertDistinct(operator: string, first: BoundOperand, others: readonly BoundOperand[]): void {
    if (first.kind !== 'path') return
    const { path } = first
    if (others.some((other) => other.kind === 'path' && comparePaths(other.path, path) === 0)) {
      const text = describePath(path)
      throw this.#invalid(
        `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${text}`,
      )
    }
  }

  #wrongType(operator: string, type: string): ValidationError {
    return this.#invalid(
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
    )
  }

  #invalid(what: string): ValidationError {
    return invalid(this.#parameter, what)
  }
}

function describeKey(value: AttributeValue): string {
  if ('S' in value) return `{S:${value.S}}`
  if ('N' in value) return `{N:${value.N}}`
  // The service prints the Java object that holds the bytes.
  if ('B' in value) return `{B:java.nio.HeapByteBuffer[pos=0 lim=${value.B.length} cap=${value.B.length}]}`
  return `{${attributeType(value)}:...}`
}
