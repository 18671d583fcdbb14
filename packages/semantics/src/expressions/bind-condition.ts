import { ATTRIBUTE_TYPES, attributeType } from '../attribute-type.js'
import type { AttributeType } from '../attribute-value.js'
import { type BoundPredicate, bindBetween, bindComparison, bindPart } from './bind-predicate.js'
import type { ConditionAst, OperandAst } from './condition-ast.js'
import type { ConditionFunction } from './functions.js'
import type { ExpressionParameter } from './lexer.js'
import { type BoundOperand, OperandBinder } from './operand-binder.js'
import type { Placeholders } from './placeholders.js'

/** A condition whose placeholders are resolved and whose values have types that can be compared. */
export type BoundCondition =
  | BoundPredicate
  | { readonly kind: 'and' | 'or'; readonly left: BoundCondition; readonly right: BoundCondition }
  | { readonly kind: 'not'; readonly condition: BoundCondition }
  | { readonly kind: 'in'; readonly operand: BoundOperand; readonly options: readonly BoundOperand[] }
  | { readonly kind: 'exists'; readonly path: BoundOperand; readonly wanted: boolean }
  | { readonly kind: 'type'; readonly operand: BoundOperand; readonly type: AttributeType }

/**
 * Resolves a condition's placeholders and checks what can be checked without an item.
 *
 * @param parameter where the condition was given, for the texts of errors.
 * @throws ValidationError with the service's text: a placeholder is not defined, a value has a type that the operator
 * or function never takes, the bounds of BETWEEN are in the wrong order, one path is compared with itself.
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
  return bound(new OperandBinder(parameter, placeholders), condition)
}

function bound(binder: OperandBinder, condition: ConditionAst): BoundCondition {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const { kind, left, right } = condition
      return { kind, left: bound(binder, left), right: bound(binder, right) }
    }
    case 'not':
      return { kind: 'not', condition: bound(binder, condition.condition) }
    case 'compare':
      return bindComparison(binder, condition)
    case 'between':
      return bindBetween(binder, condition)
    case 'in': {
      const operand = binder.bind(condition.operand)
      const options = condition.options.map((option) => binder.bind(option))
      binder.requireDistinct('IN', operand, options)
      return { kind: 'in', operand, options }
    }
    case 'function':
      return boundFunction(binder, condition.name, condition.operands)
  }
}

function boundFunction(
  binder: OperandBinder,
  name: ConditionFunction,
  operands: readonly [OperandAst, ...OperandAst[]],
): BoundCondition {
  if (name === 'begins_with' || name === 'contains') return bindPart(binder, name, operands)
  const [first, second] = operands
  const operand = binder.bind(first)
  if (second === undefined) return { kind: 'exists', path: operand, wanted: name === 'attribute_exists' }
  return { kind: 'type', operand, type: typeName(binder, binder.bind(second)) }
}

function typeName(binder: OperandBinder, operand: BoundOperand): AttributeType {
  if (operand.kind === 'size') throw binder.wrongType('attribute_type', 'N')
  if (operand.kind === 'path') throw binder.wrongType('attribute_type', `{${ATTRIBUTE_TYPES.join(',')}}`)
  const { value } = operand
  if (!('S' in value)) throw binder.wrongType('attribute_type', attributeType(value))
  const type = ATTRIBUTE_TYPES.find((each) => each === value.S)
  if (type !== undefined) return type
  throw binder.invalid(
    `Invalid attribute type name found; type: ${value.S}, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}`,
  )
}
