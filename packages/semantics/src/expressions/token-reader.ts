import { MAX_EXPRESSION_OPERATORS } from '../limits.js'
import type { ValidationError } from '../validation-error.js'
import { type ExpressionParameter, invalid, type Token, tokenize } from './lexer.js'

/**
 * What the service looks at after the grammar: names and functions from left to right, then what the functions are
 * given.
 */
type Phase = 'names' | 'operands'

interface Finding {
  readonly phase: Phase
  readonly at: number
  readonly what: string
}

/**
 * Operands need an operator or a function to stand in parentheses of their own, so deeper ones are redundant or too
 * many. It bounds the parser's recursion.
 */
const MAX_PARENTHESES = MAX_EXPRESSION_OPERATORS + 1
/** Whether a word cannot stand for an attribute. */
export type ReservedWords = (word: string) => boolean

/**
 * For a reader that rewrites expressions and leaves it to the service to refuse a word: the list of them is larger than
 * the parser.
 */
const NOTHING_IS_RESERVED: ReservedWords = () => false

const REDUNDANT = 'The expression has redundant parentheses;'

/**
 * Walks over an expression's tokens, once, from left to right, and words the errors on the way. An error of grammar is
 * thrown at once; any other is kept until the end, because the service reports grammar first.
 */
export class TokenReader {
  readonly parameter: ExpressionParameter
  readonly isReserved: ReservedWords
  readonly #text: string
  readonly #tokens: readonly Token[]
  #index = 0
  #operators = 0
  #depth = 0
  #closed: { readonly open: number; readonly close: number } | undefined
  #finding: Finding | undefined

  constructor(parameter: ExpressionParameter, text: string, isReserved = NOTHING_IS_RESERVED) {
    this.parameter = parameter
    this.isReserved = isReserved
    this.#text = text
    this.#tokens = tokenize(parameter, text)
  }

  /** The token `ahead` places on, without taking it. */
  peek(ahead = 0): Token {
    return this.#at(this.#index + ahead)
  }

  take(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.#index++
    return token
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'symbol' && token.text === symbol
  }

  isKeyword(keyword: string): boolean {
    const token = this.peek()
    return token.kind === 'keyword' && token.text.toUpperCase() === keyword
  }

  acceptSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false
    this.#index++
    return true
  }

  acceptKeyword(keyword: string): boolean {
    if (!this.isKeyword(keyword)) return false
    this.#index++
    return true
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

  /** What stands in a pair of parentheses, which must not be all that stands in another. */
  parenthesised<T>(inner: () => T): T {
    const open = this.#index
    this.expectSymbol('(')
    if (++this.#depth > MAX_PARENTHESES) throw this.invalid(REDUNDANT)
    const value = inner()
    const close = this.#index
    this.expectSymbol(')')
    this.#depth--
    if (this.#closed?.open === open + 1 && this.#closed.close === close - 1) {
      throw this.invalid(REDUNDANT)
    }
    this.#closed = { open, close }
    return value
  }

  /** Counts an operator or function. The limit is checked at once, since it bounds the parser's work. */
  countOperator(): void {
    if (++this.#operators > MAX_EXPRESSION_OPERATORS) {
      throw this.invalid(`The expression contains too many operators; operator count: ${this.#operators}`)
    }
  }

  /** Keeps an error for the end of the expression; only the first in the service's order will be reported. */
  note(phase: Phase, { at }: Token, what: string): void {
    const finding = { phase, at, what }
    if (this.#finding === undefined || comesBefore(finding, this.#finding)) this.#finding = finding
  }

  /** @throws ValidationError when there is more to read, or for what was noted on the way. */
  finish(): void {
    if (this.peek().kind !== 'end') throw this.syntaxError()
    if (this.#finding !== undefined) throw this.invalid(this.#finding.what)
  }

  /** A syntax error at the next token, quoting its neighbours as the service does. */
  syntaxError(): ValidationError {
    const token = this.peek()
    const from = this.#index > 0 ? this.#at(this.#index - 1).at : 0
    const next = this.peek(1)
    const to = token.kind === 'end' || next.kind === 'end' ? this.#text.length : next.at + next.text.length
    return this.invalid(`Syntax error; token: "${token.text}", near: "${this.#text.slice(from, to)}"`)
  }

  invalid(what: string): ValidationError {
    return invalid(this.parameter, what)
  }

  #at(index: number): Token {
    return this.#tokens[Math.min(index, this.#tokens.length - 1)] ?? { kind: 'end', text: '<EOF>', at: 0 }
  }
}

function comesBefore(a: Finding, b: Finding): boolean {
  return a.phase === b.phase ? a.at < b.at : a.phase === 'names'
}
