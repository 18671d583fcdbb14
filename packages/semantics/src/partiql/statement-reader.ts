import { MAX_EXPRESSION_OPERATORS } from '../limits.js'
import type { ValidationError } from '../validation-error.js'
import { type Token, tokenize } from './lexer.js'
import { notWellFormed, refused } from './statement-error.js'

/** Values nest 32 deep; parentheses may stand around them. It bounds the parser's recursion. */
const MAX_DEPTH = 100

/** Walks over a statement's tokens, once, from left to right. */
export class StatementReader {
  readonly #tokens: readonly Token[]
  #index = 0
  #depth = 0
  #operators = 0
  #parameters = 0

  constructor(text: string) {
    this.#tokens = tokenize(text)
  }

  get parameterCount(): number {
    return this.#parameters
  }

  /** The token `ahead` places on, without taking it. */
  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)]
    if (token === undefined) throw new TypeError('A statement has at least the token of its end.')
    return token
  }

  take(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.#index++
    return token
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const { kind, text } = this.peek(ahead)
    return kind === 'symbol' && text === symbol
  }

  isKeyword(keyword: string, ahead = 0): boolean {
    const { kind, text } = this.peek(ahead)
    return kind === 'keyword' && text === keyword
  }

  /** Nothing follows but the semicolon that a statement may end with. */
  isEnd(): boolean {
    return this.peek().kind === 'end' || (this.isSymbol(';') && this.peek(1).kind === 'end')
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

  /** @throws ValidationError with the detail when another token comes. */
  expectSymbol(symbol: string, detail: string): void {
    if (!this.acceptSymbol(symbol)) throw notWellFormed(detail)
  }

  /** @throws ValidationError with the detail when another token comes. */
  expectKeyword(keyword: string, detail: string): void {
    if (!this.acceptKeyword(keyword)) throw notWellFormed(detail)
  }

  /** Reads what may hold itself, to a depth. */
  nested<T>(inner: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw notWellFormed('The expression has too many levels')
    const value = inner()
    this.#depth--
    return value
  }

  /** Counts an operator or function; the limit is that of expressions, which statements become. */
  countOperator(): void {
    if (++this.#operators <= MAX_EXPRESSION_OPERATORS) return
    throw refused(`The expression contains too many operators; operator count: ${this.#operators}`)
  }

  /** The place of the next `?` among the parameters. */
  nextParameter(): number {
    return this.#parameters++
  }

  /** The error for a token that cannot begin an operand. */
  unexpected(): ValidationError {
    const { kind, text } = this.peek()
    if (kind === 'symbol' && OPERATORS.has(text)) return notWellFormed('Unexpected operator')
    if (kind !== 'keyword') return notWellFormed('Unexpected term')
    return notWellFormed(OPERATORS.has(text) ? 'Unexpected operator' : 'Unexpected keyword')
  }

  /** @throws ValidationError when there is more to read. */
  finish(): void {
    if (!this.isEnd()) throw notWellFormed('Unexpected token after expression')
  }
}

const OPERATORS: ReadonlySet<string> = new Set(
  '= <> != < <= > >= * / % || AND OR IN IS LIKE BETWEEN UNION EXCEPT INTERSECT'.split(' '),
)
