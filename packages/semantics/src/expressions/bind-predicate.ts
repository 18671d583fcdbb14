import { attributeType } from '../attribute-type.js'
import type { AttributeType, AttributeValue } from '../attribute-value.js'
import { compareKeyValues, isKeyValue } from '../compare-values.js'
import type { Comparator, ConditionAst, OperandAst } from './condition-ast.js'
import type { BoundOperand, OperandBinder } from './operand-binder.js'

/**
 * A predicate whose placeholders are resolved and whose values have types that can be compared. A key condition allows
 * nothing else.
 */
export type BoundPredicate =
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
  | { readonly kind: 'begins_with' | 'contains'; readonly operand: BoundOperand; readonly part: BoundOperand }

type Ast<Kind> = Extract<ConditionAst, { readonly kind: Kind }>

const ORDERED_TYPES: ReadonlySet<AttributeType> = new Set<AttributeType>(['S', 'N', 'B'])
const PREFIX_TYPES: ReadonlySet<AttributeType> = new Set<AttributeType>(['S', 'B'])

export function bindComparison(binder: OperandBinder, { operator, ...ast }: Ast<'compare'>): BoundPredicate {
  const left = binder.bind(ast.left)
  const right = binder.bind(ast.right)
  if (operator !== '=' && operator !== '<>') {
    binder.requireType(operator, left, ORDERED_TYPES)
    binder.requireType(operator, right, ORDERED_TYPES)
  }
  binder.requireDistinct(operator, left, [right])
  return { kind: 'compare', operator, left, right }
}

export function bindBetween(binder: OperandBinder, ast: Ast<'between'>): BoundPredicate {
  const [operand, from, to] = [binder.bind(ast.operand), binder.bind(ast.from), binder.bind(ast.to)]
  for (const each of [operand, from, to]) binder.requireType('BETWEEN', each, ORDERED_TYPES)
  if (from.kind === 'value' && to.kind === 'value') requireBounds(binder, from.value, to.value)
  binder.requireDistinct('BETWEEN', operand, [from, to])
  return { kind: 'between', operand, from, to }
}

/** Binds a function that asks whether the second operand is a part of the first. */
export function bindPart(
  binder: OperandBinder,
  kind: 'begins_with' | 'contains',
  [first, second = first]: readonly [OperandAst, ...OperandAst[]],
): BoundPredicate {
  const operand = binder.bind(first)
  const part = binder.bind(second)
  if (kind === 'begins_with') {
    binder.requireType(kind, operand, PREFIX_TYPES)
    binder.requireType(kind, part, PREFIX_TYPES)
  }
  binder.requireDistinct(kind, operand, [part])
  return { kind, operand, part }
}

function requireBounds(binder: OperandBinder, from: AttributeValue, to: AttributeValue): void {
  const order = isKeyValue(from) && isKeyValue(to) ? compareKeyValues(from, to) : undefined
  if (order !== undefined && order <= 0) return
  const rule =
    order === undefined
      ? 'same data type for lower and upper bounds'
      : 'upper bound to be greater than or equal to lower bound'
  throw binder.invalid(
    `The BETWEEN operator requires ${rule}; lower bound operand: AttributeValue: ${describeKey(from)}, upper bound operand: AttributeValue: ${describeKey(to)}`,
  )
}

function describeKey(value: AttributeValue): string {
  if ('S' in value) return `{S:${value.S}}`
  if ('N' in value) return `{N:${value.N}}`
  // The service prints the Java object that contains the bytes.
  if ('B' in value) return `{B:java.nio.HeapByteBuffer[pos=0 lim=${value.B.length} cap=${value.B.length}]}`
  return `{${attributeType(value)}:...}`
}
