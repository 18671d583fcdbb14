import { attributeType } from '../attribute-type.js'
import type { AttributeType, AttributeValue } from '../attribute-value.js'
import { operandTypeText, sameOperandText } from '../texts/operators.js'
import type { ValidationError } from '../validation-error.js'
import type { OperandAst } from './condition-ast.js'
import { comparePaths, type DocumentPath, describePath } from './document-path.js'
import { type ExpressionParameter, invalid } from './lexer.js'
import type { Placeholders } from './placeholders.js'

/** An operand whose placeholders are resolved. */
export type BoundOperand =
  | { readonly kind: 'path'; readonly path: DocumentPath }
  | { readonly kind: 'value'; readonly value: AttributeValue }
  | { readonly kind: 'size'; readonly operand: BoundOperand }

const UNSIZED_TYPES: ReadonlySet<AttributeType> = new Set<AttributeType>(['N', 'BOOL', 'NULL'])

/** Resolves the operands of one expression, and refuses those that an operator never takes. */
export class OperandBinder {
  readonly #parameter: ExpressionParameter
  readonly #placeholders: Placeholders

  constructor(parameter: ExpressionParameter, placeholders: Placeholders) {
    this.#parameter = parameter
    this.#placeholders = placeholders
  }

  bind(ast: OperandAst): BoundOperand {
    if (ast.kind === 'path') return { kind: 'path', path: this.#placeholders.path(this.#parameter, ast) }
    if (ast.kind === 'value') {
      return { kind: 'value', value: this.#placeholders.value(this.#parameter, ast.placeholder) }
    }
    const operand = this.bind(ast.operand)
    if (operand.kind === 'value' && UNSIZED_TYPES.has(attributeType(operand.value))) {
      throw this.wrongType('size', attributeType(operand.value))
    }
    return { kind: 'size', operand }
  }

  requireType(operator: string, operand: BoundOperand, allowed: ReadonlySet<AttributeType>): void {
    if (operand.kind === 'path') return
    const type = operand.kind === 'size' ? 'N' : attributeType(operand.value)
    if (!allowed.has(type)) throw this.wrongType(operator, type)
  }

  requireDistinct(operator: string, first: BoundOperand, others: readonly BoundOperand[]): void {
    if (first.kind !== 'path') return
    const { path } = first
    if (others.some((other) => other.kind === 'path' && comparePaths(other.path, path) === 0)) {
      throw this.invalid(sameOperandText(operator, describePath(path)))
    }
  }

  wrongType(operator: string, type: string): ValidationError {
    return this.invalid(operandTypeText(operator, type))
  }

  invalid(what: string): ValidationError {
    return invalid(this.#parameter, what)
  }
}
