import { MAX_IN_OPERANDS } from '../limits.js'
import {
  forbiddenFunctionText,
  misusedFunctionText,
  operandCountText,
  operandTypeText,
  pathRequiredText,
  tooManyOptionsText,
  unknownFunctionText,
} from '../texts/operators.js'
import type { Comparator, ConditionAst, OperandAst } from './condition-ast.js'
import { parsePath } from './document-path.js'
import { ExpressionReader, type WordRefusal } from './expression-reader.js'
import { CONDITION_FUNCTION_OPERANDS, type ConditionFunction, isUpdateFunction } from './functions.js'
import type { ExpressionParameter, Token } from './lexer.js'

const COMPARATORS: ReadonlySet<string> = new Set<Comparator>(['=', '<>', '<', '<=', '>', '>='])

/**
 * Parses a condition, filter or key condition. Placeholders are not resolved, so the result can be cached by the text.
 *
 * @param parameter where the condition was given, for the texts of errors.
 * @throws ValidationError with the service's text.
 * @param refusalOf refuses words that cannot name an attribute: `reservedWordText`. Default: none, for a caller that
 * leaves the check to the service.
 * @example
 * parseCondition('FilterExpression', 'size(tags) > :few AND NOT contains(tags, :hot)')
 */
export function parseCondition(
  parameter: ExpressionParameter,
  text: string,
  refusalOf?: WordRefusal,
): ConditionAst {
  return new ConditionParser(new ExpressionReader(parameter, text, refusalOf)).parse()
}

/**
 * A parsed part. Whether parentheses contain a condition or an operand is known only after they are parsed. Whether a
 * function is a condition or an operand depends on its name, which the grammar does not check.
 */
type Parsed =
  | { readonly is: 'condition'; readonly condition: ConditionAst }
  | { readonly is: 'operand'; readonly operand: OperandAst }
  | { readonly is: 'call'; readonly name: Token; readonly operands: readonly [OperandAst, ...OperandAst[]] }

class ConditionParser {
  readonly #reader: ExpressionReader

  constructor(reader: ExpressionReader) {
    this.#reader = reader
  }

  parse(): ConditionAst {
    const condition = this.#conditionIn(this.#or())
    this.#reader.finish()
    return condition
  }

  #or(): Parsed {
    return this.#chain('or', () => this.#and())
  }

  #and(): Parsed {
    return this.#chain('and', () => this.#not())
  }

  #chain(kind: 'and' | 'or', next: () => Parsed): Parsed {
    let left = next()
    while (this.#reader.isKeyword(kind.toUpperCase())) {
      const condition = this.#conditionIn(left)
      this.#reader.take()
      this.#reader.countOperator()
      left = { is: 'condition', condition: { kind, left: condition, right: this.#conditionIn(next()) } }
    }
    return left
  }

  #not(): Parsed {
    if (!this.#reader.acceptKeyword('NOT')) return this.#comparison()
    this.#reader.countOperator()
    return { is: 'condition', condition: { kind: 'not', condition: this.#conditionIn(this.#not()) } }
  }

  #comparison(): Parsed {
    const left = this.#primary()
    const condition = left.is === 'condition' ? undefined : this.#comparisonOf(left)
    return condition === undefined ? left : { is: 'condition', condition }
  }

  #comparisonOf(left: Parsed): ConditionAst | undefined {
    const { kind, text } = this.#reader.peek()
    if (kind === 'symbol' && COMPARATORS.has(text)) {
      this.#reader.take()
      this.#reader.countOperator()
      const operator = text as Comparator
      return { kind: 'compare', operator, left: this.#operandIn(left), right: this.#operand() }
    }
    if (this.#reader.isKeyword('BETWEEN')) return this.#between(left)
    return this.#reader.isKeyword('IN') ? this.#in(left) : undefined
  }

  #between(left: Parsed): ConditionAst {
    this.#reader.take()
    this.#reader.countOperator()
    const operand = this.#operandIn(left)
    const from = this.#operand()
    this.#reader.expectKeyword('AND')
    return { kind: 'between', operand, from, to: this.#operand() }
  }

  #in(left: Parsed): ConditionAst {
    const keyword = this.#reader.take()
    this.#reader.countOperator()
    const operand = this.#operandIn(left)
    this.#reader.expectSymbol('(')
    const options = this.#reader.list(() => this.#operand())
    this.#reader.expectSymbol(')')
    if (options.length > MAX_IN_OPERANDS) {
      this.#reader.note('operands', keyword, tooManyOptionsText(options.length))
    }
    return { kind: 'in', operand, options }
  }

  #primary(): Parsed {
    if (this.#reader.isSymbol('(')) return this.#reader.parenthesised(() => this.#or())
    return this.#simple()
  }

  #operand(): OperandAst {
    if (this.#reader.isSymbol('(')) return this.#reader.parenthesised(() => this.#operand())
    return this.#operandIn(this.#simple())
  }

  /** A value, a path or a call. */
  #simple(): Parsed {
    const { kind, text } = this.#reader.peek()
    if (kind === 'value') {
      this.#reader.take()
      return { is: 'operand', operand: { kind: 'value', placeholder: text } }
    }
    if (kind === 'word' && this.#reader.isSymbol('(', 1)) return this.#call()
    return { is: 'operand', operand: parsePath(this.#reader) }
  }

  #call(): Parsed {
    const name = this.#reader.take()
    this.#reader.take()
    this.#reader.countOperator()
    if (isUpdateFunction(name.text)) {
      this.#reader.note('names', name, forbiddenFunctionText(name.text, 'a condition'))
    } else if (!CONDITION_FUNCTION_OPERANDS.has(name.text)) {
      this.#reader.note('names', name, unknownFunctionText(name.text))
    }
    const operands = this.#reader.list(() => this.#operand())
    this.#reader.expectSymbol(')')
    if (operands.length !== (CONDITION_FUNCTION_OPERANDS.get(name.text) ?? operands.length)) {
      this.#reader.note('operands', name, operandCountText(name.text, operands.length))
    }
    return { is: 'call', name, operands }
  }

  #operandIn(parsed: Parsed): OperandAst {
    if (parsed.is === 'operand') return parsed.operand
    if (parsed.is === 'condition') throw this.#reader.syntaxError()
    const { name, operands } = parsed
    const [operand] = operands
    if (name.text !== 'size') this.#noteMisuse(name)
    if (operand.kind !== 'size') return { kind: 'size', operand }
    this.#reader.note('operands', name, operandTypeText('size', 'N'))
    return operand
  }

  #conditionIn(parsed: Parsed): ConditionAst {
    if (parsed.is === 'condition') return parsed.condition
    if (parsed.is === 'operand') throw this.#reader.syntaxError()
    const { name, operands } = parsed
    if (name.text === 'size') this.#noteMisuse(name)
    if (name.text.endsWith('_exists') && operands[0].kind !== 'path') {
      this.#reader.note('operands', name, pathRequiredText(name.text))
    }
    // Any other name was noted as an error, so `finish` will throw before the condition is returned.
    return { kind: 'function', name: name.text as ConditionFunction, operands }
  }

  #noteMisuse(name: Token): void {
    this.#reader.note('names', name, misusedFunctionText(name.text))
  }
}
