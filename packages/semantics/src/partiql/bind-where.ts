import type { Item } from '../attribute-value.js'
import { type BoundCondition, bindCondition } from '../expressions/bind-condition.js'
import type { Comparator, ConditionAst, OperandAst } from '../expressions/condition-ast.js'
import type { DocumentPath, PathAst, PathStep } from '../expressions/document-path.js'
import {
  CONDITION_FUNCTION_OPERANDS,
  isConditionFunction,
  isUpdateFunction,
} from '../expressions/functions.js'
import type { Placeholders } from '../expressions/placeholders.js'
import { MAX_IN_OPERANDS } from '../limits.js'
import {
  forbiddenFunctionText,
  misusedFunctionText,
  operandCountText,
  pathRequiredText,
  tooManyOptionsText,
} from '../texts/operators.js'
import { isLiteral, literalValue, type Parameters } from './literal-value.js'
import { PlacedValues } from './placed-values.js'
import type { CallExpression, ExpressionAst } from './statement-ast.js'
import {
  inStatement,
  misplacedMissing,
  refused,
  unrecognizedFunction,
  unsupportedOperator,
} from './statement-error.js'
import { TYPES } from './type-name.js'

const COMPARATORS: ReadonlySet<string> = new Set<Comparator>(['=', '<>', '<', '<=', '>', '>='])

/**
 * Translates a WHERE clause, with the statement's parameters in it, into a condition that `matches` can check.
 *
 * @throws ValidationError with the service's text.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-operators.html
 */
export function bindWhere(where: ExpressionAst, parameters: Parameters): BoundCondition {
  const translation = new WhereTranslation(parameters)
  if (!isCondition(where)) throw refused('WHERE clause must contain an expression that resolves to a boolean')
  const condition = translation.condition(where)
  return inStatement(() => bindCondition('ConditionExpression', condition, translation.placeholders()))
}

/** Translates a WHERE clause into a condition whose values are placeholders. */
class WhereTranslation {
  readonly #parameters: Parameters
  readonly #values = new PlacedValues()

  constructor(parameters: Parameters) {
    this.#parameters = parameters
  }

  placeholders(): Placeholders {
    return this.#values.placeholders()
  }

  condition(expression: ExpressionAst): ConditionAst {
    switch (expression.kind) {
      case 'binary':
        return this.#binary(expression)
      case 'unary':
        if (!isCondition(expression.operand))
          throw refused('The argument to NOT must be a Type or Expression')
        return { kind: 'not', condition: this.condition(expression.operand) }
      case 'between': {
        const { operand, from, to } = expression
        return {
          kind: 'between',
          operand: this.#operand(operand),
          from: this.#operand(from),
          to: this.#operand(to),
        }
      }
      case 'in':
        return this.#in(expression.operand, expression.options)
      case 'is':
        return this.#is(expression.operand, expression.type, expression.at)
      case 'call':
        return this.#call(expression)
      default:
        throw new TypeError(`A ${expression.kind} is no condition; the caller must check.`)
    }
  }

  #binary(expression: ExpressionAst & { readonly kind: 'binary' }): ConditionAst {
    const { operator, left, right } = expression
    if (operator === 'and' || operator === 'or') {
      if (!isCondition(left) || !isCondition(right)) {
        throw refused('The arguments to AND/OR must be Expressions')
      }
      return { kind: operator, left: this.condition(left), right: this.condition(right) }
    }
    if (left.kind === 'missing' || right.kind === 'missing') throw misplacedMissing()
    if (!isComparator(operator)) throw unsupported(operator)
    if (operator === '=' && left.kind === 'boolean' && isTruth(right)) return this.#truth(right, left.value)
    if (operator === '=' && right.kind === 'boolean' && isTruth(left)) return this.#truth(left, right.value)
    for (const side of [left, right]) {
      if (side.kind !== 'call' && isCondition(side)) throw unsupported(operator)
    }
    return { kind: 'compare', operator, left: this.#operand(left), right: this.#operand(right) }
  }

  /** `begins_with(a, 'b') = true`: a condition compared with a boolean. */
  #truth(expression: ExpressionAst, wanted: boolean): ConditionAst {
    const condition = this.condition(expression)
    return wanted ? condition : { kind: 'not', condition }
  }

  #in(operand: ExpressionAst, options: ExpressionAst): ConditionAst {
    const members = options.kind === 'list' || options.kind === 'bag' ? options.members : []
    if (members.length === 0) {
      throw refused(
        'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member',
      )
    }
    if (members.length > MAX_IN_OPERANDS) {
      throw refused(tooManyOptionsText(members.length))
    }
    return {
      kind: 'in',
      operand: this.#operand(operand),
      options: members.map((each) => this.#operand(each)),
    }
  }

  #is(operand: ExpressionAst, type: string, at: string): ConditionAst {
    const path = this.#operand(operand)
    if (type === 'MISSING') return { kind: 'function', name: 'attribute_not_exists', operands: [path] }
    const name = TYPES.get(type)
    if (name === undefined) {
      throw refused(
        `Unsupported data type for IS operator: ${type}. Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at ${at}`,
      )
    }
    return { kind: 'function', name: 'attribute_type', operands: [path, this.#value({ S: name })] }
  }

  #call({ name, operands, at }: CallExpression): ConditionAst {
    const count = CONDITION_FUNCTION_OPERANDS.get(name)
    if (!isConditionFunction(name) || count === undefined) throw unrecognized(name, at)
    assertOperands(name, operands, count)
    const [first, ...rest] = operands
    if (name.endsWith('exists') && first.kind !== 'path') {
      throw refused(pathRequiredText(name))
    }
    return {
      kind: 'function',
      name,
      operands: [this.#operand(first), ...rest.map((operand) => this.#operand(operand))],
    }
  }

  #operand(expression: ExpressionAst): OperandAst {
    if (expression.kind === 'path') return pathAst(expression.path)
    if (expression.kind === 'missing') throw misplacedMissing()
    if (expression.kind === 'call') return this.#size(expression)
    if (isLiteral(expression)) return this.#value(literalValue(expression, this.#parameters))
    throw unsupported('operator' in expression ? expression.operator : expression.kind)
  }

  #size({ name, operands, at }: CallExpression): OperandAst {
    if (isConditionFunction(name)) throw unsupported(name)
    if (name !== 'size') throw unrecognized(name, at)
    assertOperands(name, operands, 1)
    const operand = this.#operand(operands[0])
    if (operand.kind === 'size') {
      throw refused(misusedFunctionText('size'))
    }
    return { kind: 'size', operand }
  }

  #value(value: Item[string]): OperandAst & { readonly kind: 'value' } {
    return { kind: 'value', placeholder: this.#values.place(value) }
  }
}

/** Whether an expression is a condition rather than a value. An unknown function can be either. */
function isCondition(expression: ExpressionAst): boolean {
  switch (expression.kind) {
    case 'binary':
      return TRUTHS.has(expression.operator)
    case 'unary':
      return expression.operator === 'not'
    case 'call':
      return expression.name !== 'size'
    default:
      return expression.kind === 'between' || expression.kind === 'in' || expression.kind === 'is'
  }
}

function isTruth(expression: ExpressionAst): boolean {
  return isCondition(expression) && (expression.kind !== 'call' || isConditionFunction(expression.name))
}

/** Operators with a boolean result. */
const TRUTHS: ReadonlySet<string> = new Set([...COMPARATORS, 'and', 'or', 'like'])

/** The path as the expression parser would return it; its names are never placeholders, whatever they look like. */
export function pathAst([first, ...rest]: DocumentPath): PathAst {
  const steps = rest.map((step): PathStep => (typeof step === 'number' ? { index: step } : { name: step }))
  return { kind: 'path', steps: [{ name: first }, ...steps] }
}

/** @throws ValidationError when the number of operands is not the one that the function takes. */
export function assertOperands(
  name: string,
  operands: readonly ExpressionAst[],
  count: number,
): asserts operands is readonly [ExpressionAst, ...ExpressionAst[]] {
  if (operands.length === count) return
  throw refused(operandCountText(name, operands.length))
}

function isComparator(operator: string): operator is Comparator {
  return COMPARATORS.has(operator)
}

function unrecognized(name: string, at: string) {
  return isUpdateFunction(name)
    ? refused(forbiddenFunctionText(name, 'a condition'))
    : unrecognizedFunction(name, at)
}

function unsupported(operator: string) {
  return unsupportedOperator(operator, 'Condition')
}
