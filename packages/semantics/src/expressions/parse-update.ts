import {
  forbiddenFunctionText,
  misusedFunctionText,
  operandCountText,
  pathRequiredText,
  unknownFunctionText,
} from '../texts/operators.js'
import { type PathAst, parsePath } from './document-path.js'
import { ExpressionReader, type WordRefusal } from './expression-reader.js'
import { CONDITION_FUNCTION_OPERANDS, isUpdateFunction } from './functions.js'
import type { Token } from './lexer.js'
import type { SetOperandAst, SetValueAst, SumAst, UpdateAst } from './update-ast.js'

const OPERANDS_OF_A_FUNCTION = 2
const SECTIONS = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const

/**
 * Parses an update expression. Placeholders are not resolved, so the result can be cached by the text.
 * @throws ValidationError with the service's text.
 * @param refusalOf refuses words that cannot name an attribute: `reservedWordText`. Default: none, for a caller that
 * leaves the check to the service.
 * @example
 * parseUpdate('SET visits = if_not_exists(visits, :zero) + :one REMOVE draft')
 */
export function parseUpdate(text: string, refusalOf?: WordRefusal): UpdateAst {
  return new UpdateParser(new ExpressionReader('UpdateExpression', text, refusalOf)).parse()
}

class UpdateParser {
  readonly #reader: ExpressionReader

  constructor(reader: ExpressionReader) {
    this.#reader = reader
  }

  parse(): UpdateAst {
    const update = { set: [], remove: [], add: [], delete: [] } as {
      -readonly [Section in keyof UpdateAst]: UpdateAst[Section][number][]
    }
    const seen = new Set<string>()
    do {
      const section = this.#section(seen)
      if (section === 'SET') update.set = this.#reader.list(() => this.#set())
      else if (section === 'REMOVE') update.remove = this.#reader.list(() => parsePath(this.#reader))
      else if (section === 'ADD') update.add = this.#reader.list(() => this.#pathAndValue())
      else update.delete = this.#reader.list(() => this.#pathAndValue())
    } while (this.#reader.peek().kind !== 'end')
    this.#reader.finish()
    return update
  }

  #section(seen: Set<string>): (typeof SECTIONS)[number] {
    const section = SECTIONS.find((each) => this.#reader.isKeyword(each))
    if (section === undefined) throw this.#reader.syntaxError()
    const keyword = this.#reader.take()
    if (seen.has(section)) {
      const what = `The "${section}" section can only be used once in an update expression;`
      this.#reader.note('operands', keyword, what)
    }
    seen.add(section)
    return section
  }

  #set(): UpdateAst['set'][number] {
    const path = parsePath(this.#reader)
    this.#reader.expectSymbol('=')
    return { path, value: this.#value() }
  }

  #pathAndValue(): UpdateAst['add'][number] {
    const path = parsePath(this.#reader)
    const { kind, text } = this.#reader.peek()
    if (kind !== 'value') throw this.#reader.syntaxError()
    this.#reader.take()
    return { path, placeholder: text }
  }

  #value(): SetValueAst {
    const first = this.#reader.peek()
    const left = this.#reader.isSymbol('(')
      ? this.#reader.parenthesised(() => this.#value())
      : this.#operand()
    if (isSum(left)) return left
    const kind = this.#reader.isSymbol('+') ? 'plus' : this.#reader.isSymbol('-') ? 'minus' : undefined
    if (kind === undefined) return left
    this.#reader.take()
    this.#reader.countOperator()
    const second = this.#reader.peek()
    const right = this.#operand()
    this.#noteNestedAppend(first, left)
    this.#noteNestedAppend(second, right)
    return { kind, left, right }
  }

  #operand(): SetOperandAst {
    if (this.#reader.isSymbol('(')) return this.#reader.parenthesised(() => this.#operand())
    const { kind, text } = this.#reader.peek()
    if (kind === 'value') {
      this.#reader.take()
      return { kind: 'value', placeholder: text }
    }
    if (kind === 'word' && this.#reader.isSymbol('(', 1)) return this.#call()
    return parsePath(this.#reader)
  }

  #call(): SetOperandAst {
    const name = this.#reader.take()
    this.#reader.take()
    this.#reader.countOperator()
    if (!isUpdateFunction(name.text)) this.#reader.note('names', name, unknownFunction(name.text))
    const operands = this.#reader.list(() => this.#argument())
    this.#reader.expectSymbol(')')
    const [first, second = first] = operands
    if (operands.length !== OPERANDS_OF_A_FUNCTION) {
      this.#reader.note('operands', name, operandCountText(name.text, operands.length))
    }
    if (name.text !== 'if_not_exists') return { kind: 'list_append', first, second }
    return { kind: 'if_not_exists', path: this.#pathIn(name, first), fallback: second }
  }

  #argument(): SetOperandAst {
    const first = this.#reader.peek()
    const operand = this.#operand()
    this.#noteNestedAppend(first, operand)
    return operand
  }

  #pathIn(name: Token, operand: SetOperandAst): PathAst {
    if (operand.kind === 'path') return operand
    this.#reader.note('operands', name, pathRequiredText(name.text))
    return { kind: 'path', steps: [{ name: name.text }] }
  }

  /** `list_append` must be the whole right-hand side of a SET. */
  #noteNestedAppend(at: Token, operand: SetOperandAst): void {
    if (operand.kind !== 'list_append') return
    this.#reader.note('names', at, misusedFunctionText('list_append'))
  }
}

function isSum(value: SetValueAst): value is SumAst {
  return value.kind === 'plus' || value.kind === 'minus'
}

function unknownFunction(name: string): string {
  return CONDITION_FUNCTION_OPERANDS.has(name)
    ? forbiddenFunctionText(name, 'an update')
    : unknownFunctionText(name)
}
