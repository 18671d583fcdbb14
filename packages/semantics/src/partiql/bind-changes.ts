import { attributeType } from '../attribute-type.js'
import type { AttributeValue } from '../attribute-value.js'
import { type BoundUpdate, bindUpdate } from '../expressions/bind-update.js'
import { comparePaths, type DocumentPath, type PathAst } from '../expressions/document-path.js'
import { CONDITION_FUNCTION_OPERANDS } from '../expressions/functions.js'
import type { Placeholders } from '../expressions/placeholders.js'
import type { SetOperandAst, SetValueAst, UpdateAst } from '../expressions/update-ast.js'
import { forbiddenFunctionText, operandCountText, pathRequiredText } from '../texts/operators.js'
import { assertOperands, pathAst } from './bind-where.js'
import { isLiteral, literalValue, type Parameters } from './literal-value.js'
import { PlacedValues } from './placed-values.js'
import type { CallExpression, ExpressionAst, UpdateStatement } from './statement-ast.js'
import {
  inStatement,
  misplacedMissing,
  refused,
  unrecognizedFunction,
  unsupportedOperator,
} from './statement-error.js'

/**
 * Translates the changes of an UPDATE statement into an update that `applyUpdate` can apply. `set_add` and `set_delete`
 * become ADD and DELETE.
 *
 * @throws ValidationError with the service's text.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.update.html
 */
export function bindChanges(
  { set, remove }: Pick<UpdateStatement, 'set' | 'remove'>,
  parameters: Parameters,
): BoundUpdate {
  const translation = new ChangeTranslation(parameters)
  for (const { path, value } of set) translation.assign(path, value)
  const update: UpdateAst = { ...translation.actions, remove: remove.map(pathAst) }
  return inStatement(() => bindUpdate(update, translation.placeholders()))
}

/** Translates assignments into the actions of an update whose values are placeholders. */
class ChangeTranslation {
  readonly actions = {
    set: [] as { readonly path: PathAst; readonly value: SetValueAst }[],
    add: [] as { readonly path: PathAst; readonly placeholder: string }[],
    delete: [] as { readonly path: PathAst; readonly placeholder: string }[],
  }
  readonly #parameters: Parameters
  readonly #values = new PlacedValues()

  constructor(parameters: Parameters) {
    this.#parameters = parameters
  }

  placeholders(): Placeholders {
    return this.#values.placeholders()
  }

  assign(path: DocumentPath, value: ExpressionAst): void {
    if (value.kind === 'call' && (value.name === 'set_add' || value.name === 'set_delete')) {
      const placeholder = this.#values.place(this.#members(path, value))
      this.actions[value.name === 'set_add' ? 'add' : 'delete'].push({ path: pathAst(path), placeholder })
      return
    }
    this.actions.set.push({ path: pathAst(path), value: this.#value(value) })
  }

  /** The set in `set_add(path, set)`; its first operand must be the assigned path. */
  #members(path: DocumentPath, { name, operands, at }: CallExpression): AttributeValue {
    const written = name.toUpperCase()
    const [target, members] = operands
    if (target === undefined || members === undefined || operands.length !== 2) {
      throw refused(`${written} must have exactly two arguments at ${at}`)
    }
    if (target.kind !== 'path' || comparePaths(target.path, path) !== 0) {
      throw refused(`The first argument to ${written} must equal the assignment value at ${at}`)
    }
    const value = isLiteral(members) ? literalValue(members, this.#parameters) : undefined
    if (value === undefined || !attributeType(value).endsWith('S') || 'S' in value) {
      throw refused(`The second argument to ${written} must be a value with type SET at ${target.at}`)
    }
    return value
  }

  #value(expression: ExpressionAst): SetValueAst {
    if (expression.kind !== 'binary') return this.#operand(expression)
    const { operator, left, right } = expression
    if (operator !== '+' && operator !== '-') {
      throw unsupportedOperator(operator, 'Update')
    }
    return { kind: operator === '+' ? 'plus' : 'minus', left: this.#value(left), right: this.#value(right) }
  }

  #operand(expression: ExpressionAst): SetOperandAst {
    if (expression.kind === 'path') return pathAst(expression.path)
    if (expression.kind === 'missing') throw misplacedMissing()
    if (expression.kind === 'call') return this.#call(expression)
    if (expression.kind === 'unary') throw refused(operandCountText(expression.operator, 1))
    if (!isLiteral(expression)) {
      const operator = expression.kind === 'binary' ? expression.operator : expression.kind
      throw unsupportedOperator(operator, 'Update')
    }
    return { kind: 'value', placeholder: this.#values.place(literalValue(expression, this.#parameters)) }
  }

  #call({ name, operands, at }: CallExpression): SetOperandAst {
    if (CONDITION_FUNCTION_OPERANDS.has(name)) throw refused(forbiddenFunctionText(name, 'an update'))
    if (name !== 'list_append' && name !== 'if_not_exists') throw unrecognizedFunction(name, at)
    assertOperands(name, operands, 2)
    const [first, second] = operands
    if (first === undefined || second === undefined) throw new TypeError('Two operands were just counted.')
    if (name === 'list_append')
      return { kind: name, first: this.#operand(first), second: this.#operand(second) }
    if (first.kind !== 'path') {
      throw refused(pathRequiredText(name))
    }
    return { kind: name, path: pathAst(first.path), fallback: this.#operand(second) }
  }
}
