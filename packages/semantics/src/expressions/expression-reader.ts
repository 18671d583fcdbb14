import { MAX_EXPRESSION_OPERATORS } from '../limits.js'
import { TokenReader } from '../token-reader.js'
import type { ValidationError } from '../validation-error.js'
import { type ExpressionParameter, invalid, type Token, tokenize } from './lexer.js'

/**
 * The service checks the grammar first, then names and functions from left to right, then the operands of the
 * functions.
 */
type Phase = 'names' | 'operands'

interface Finding {
  readonly phase: Phase
  readonly at: number
  readonly message: string
}

/**
 * Each pair of parentheses needs an operator or a function of its own, so a deeper nesting has redundant parentheses or
 * too many operators. The limit bounds the parser's recursion.
 */
const MAX_PARENTHESES = MAX_EXPRESSION_OPERATORS + 1

/** The service's text for a word that cannot name an attribute, or `undefined` for any other. */
export type WordRefusal = (word: string) => string | undefined

/**
 * The default, for a caller that leaves the check to the service: the list of reserved words is larger than the parser.
 */
const NO_REFUSAL: WordRefusal = () => undefined

const REDUNDANT = 'The expression has redundant parentheses;'

/**
 * Walks over an expression's tokens and creates its errors. An error of grammar is thrown at once; any other is kept
 * until the end, because the service reports grammar first.
 */
export class ExpressionReader extends TokenReader<Token> {
  readonly parameter: ExpressionParameter
  readonly refusalOf: WordRefusal
  readonly #text: string
  #depth = 0
  #closed: { readonly open: number; readonly close: number } | undefined
  #finding: Finding | undefined

  constructor(parameter: ExpressionParameter, text: string, refusalOf = NO_REFUSAL) {
    super(tokenize(parameter, text))
    this.parameter = parameter
    this.refusalOf = refusalOf
    this.#text = text
  }

  expectSymbol(symbol: string): void {
    if (!this.acceptSymbol(symbol)) throw this.syntaxError()
  }

  expectKeyword(keyword: string): void {
    if (!this.acceptKeyword(keyword)) throw this.syntaxError()
  }

  /** One member or more, with commas between them. */
  list<T>(member: () => T): [T, ...T[]] {
    const members: [T, ...T[]] = [member()]
    while (this.acceptSymbol(',')) members.push(member())
    return members
  }

  /** Reads a pair of parentheses, which must not be the whole content of another pair. */
  parenthesised<T>(inner: () => T): T {
    const open = this.taken
    this.expectSymbol('(')
    if (++this.#depth > MAX_PARENTHESES) throw this.refused(REDUNDANT)
    const value = inner()
    const close = this.taken
    this.expectSymbol(')')
    this.#depth--
    if (this.#closed?.open === open + 1 && this.#closed.close === close - 1) {
      throw this.refused(REDUNDANT)
    }
    this.#closed = { open, close }
    return value
  }

  /** Keeps an error for the end of the expression; only the first in the service's order is reported. */
  note(phase: Phase, { at }: Token, message: string): void {
    const finding = { phase, at, message }
    if (this.#finding === undefined || comesBefore(finding, this.#finding)) this.#finding = finding
  }

  /** @throws ValidationError when there is more to read, or for an error that was noted on the way. */
  finish(): void {
    if (this.peek().kind !== 'end') throw this.syntaxError()
    if (this.#finding !== undefined) throw this.refused(this.#finding.message)
  }

  /** A syntax error at the next token, quoting its neighbours as the service does. */
  syntaxError(): ValidationError {
    const from = this.taken > 0 ? this.peek(-1).at : 0
    const next = this.peek(1)
    const to = next.kind === 'end' ? this.#text.length : next.at + next.text.length
    return this.refused(`Syntax error; token: "${this.peek().text}", near: "${this.#text.slice(from, to)}"`)
  }

  refused(message: string): ValidationError {
    return invalid(this.parameter, message)
  }
}

function comesBefore(a: Finding, b: Finding): boolean {
  return a.phase === b.phase ? a.at < b.at : a.phase === 'names'
}
