import { type PathAst, printPath } from './document-path.js'
import type { ConditionFunction } from './functions.js'

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>='

interface ValueAst {
  readonly kind: 'value'
  /** The `:placeholder` as written. */
  readonly placeholder: string
}

interface SizeAst {
  readonly kind: 'size'
  readonly operand: PathAst | ValueAst
}

export type OperandAst = PathAst | ValueAst | SizeAst

/** A condition as written: placeholders are not resolved, so it can be cached by its text. */
export type ConditionAst =
  | { readonly kind: 'and' | 'or'; readonly left: ConditionAst; readonly right: ConditionAst }
  | { readonly kind: 'not'; readonly condition: ConditionAst }
  | {
      readonly kind: 'compare'
      readonly operator: Comparator
      readonly left: OperandAst
      readonly right: OperandAst
    }
  | {
      readonly kind: 'between'
      readonly operand: OperandAst
      readonly from: OperandAst
      readonly to: OperandAst
    }
  | { readonly kind: 'in'; readonly operand: OperandAst; readonly options: readonly OperandAst[] }
  | {
      readonly kind: 'function'
      readonly name: ConditionFunction
      readonly operands: readonly [OperandAst, ...OperandAst[]]
    }

/** How tightly each kind binds; looser ones need parentheses inside tighter ones. */
const TIGHTNESS: Record<ConditionAst['kind'], number> = {
  or: 1,
  and: 2,
  not: 3,
  compare: 4,
  between: 4,
  in: 4,
  function: 4,
}

/** The condition as text that parses to the same condition. */
export function printCondition(condition: ConditionAst): string {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const { kind, left, right } = condition
      // Both operators group to the left, so the same operator on the right needs parentheses to stay there.
      return `${inside(left, TIGHTNESS[kind])} ${kind.toUpperCase()} ${inside(right, TIGHTNESS[kind] + 1)}`
    }
    case 'not':
      return `NOT ${inside(condition.condition, TIGHTNESS.not)}`
    case 'compare':
      return `${printOperand(condition.left)} ${condition.operator} ${printOperand(condition.right)}`
    case 'between':
      return `${printOperand(condition.operand)} BETWEEN ${printOperand(condition.from)} AND ${printOperand(condition.to)}`
    case 'in':
      return `${printOperand(condition.operand)} IN (${condition.options.map(printOperand).join(', ')})`
    case 'function':
      return `${condition.name}(${condition.operands.map(printOperand).join(', ')})`
  }
}

function inside(condition: ConditionAst, tightness: number): string {
  const text = printCondition(condition)
  return TIGHTNESS[condition.kind] < tightness ? `(${text})` : text
}

function printOperand(operand: OperandAst): string {
  if (operand.kind === 'path') return printPath(operand)
  if (operand.kind === 'value') return operand.placeholder
  return `size(${printOperand(operand.operand)})`
}
