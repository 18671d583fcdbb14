import { MAX_EXPRESSION_OPERATORS } from './limits.js'
import type { ValidationError } from './validation-error.js'

/** The common part of all languages' tokens. */
interface AnyToken {
  readonly kind: string
  readonly text: string
}

/** The tokens of a text, and the token for its end. */
export interface Tokens<Token> {
  readonly tokens: readonly Token[]
  readonly end: Token
}

/** Reads the tokens of an expression or a statement once, from left to right. */
export abstract class TokenReader<Token extends AnyToken> {
  readonly #tokens: readonly Token[]
  readonly #end: Token
  #index = 0
  #operators = 0

  constructor({ tokens, end }: Tokens<Token>) {
    this.#tokens = tokens
    this.#end = end
  }

  /** The number of tokens that were taken. */
  protected get taken(): number {
    return this.#index
  }

  /** The error for a broken rule, in the form of the language. */
  abstract refused(message: string): ValidationError

  /** The token `ahead` places on, without taking it. Past the end it is always the end. */
  peek(ahead = 0): Token {
    return this.#tokens[this.#index + ahead] ?? this.#end
  }

  take(): Token {
    const token = this.peek()
    if (token !== this.#end) this.#index++
    return token
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const { kind, text } = this.peek(ahead)
    return kind === 'symbol' && text === symbol
  }

  /** @param keyword in upper case; the text can have it in any case. */
  isKeyword(keyword: string, ahead = 0): boolean {
    const { kind, text } = this.peek(ahead)
    return kind === 'keyword' && text.toUpperCase() === keyword
  }

  acceptSymbol(symbol: string): boolean {
    return this.#accept(this.isSymbol(symbol))
  }

  acceptKeyword(keyword: string): boolean {
    return this.#accept(this.isKeyword(keyword))
  }

  #accept(isNext: boolean): boolean {
    if (isNext) this.#index++
    return isNext
  }

  /** Counts an operator or function. The limit is checked at once, since it bounds the parser's work. */
  countOperator(): void {
    if (++this.#operators > MAX_EXPRESSION_OPERATORS) {
      throw this.refused(`The expression contains too many operators; operator count: ${this.#operators}`)
    }
  }
}
