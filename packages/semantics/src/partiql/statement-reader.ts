import { TokenReader } from '../token-reader.js'
import type { ValidationError } from '../validation-error.js'
import { type Token, tokenize } from './lexer.js'
import { notWellFormed, refused } from './statement-error.js'

/** Values nest up to 32 levels, and parentheses add more. The limit bounds the parser's recursion. */
const MAX_DEPTH = 100

export const TOKEN_AFTER_EXPRESSION = 'Unexpected token after expression'

/** Walks over a statement's tokens and creates its errors. */
export class StatementReader extends TokenReader<Token> {
  #depth = 0
  #parameters = 0

  constructor(text: string) {
    super(tokenize(text))
  }

  get parameterCount(): number {
    return this.#parameters
  }

  /** Whether nothing follows, except the semicolon that a statement can end with. */
  isEnd(): boolean {
    return this.peek().kind === 'end' || (this.isSymbol(';') && this.peek(1).kind === 'end')
  }

  /** @throws ValidationError with the detail when the next token is another one. */
  expectSymbol(symbol: string, detail: string): void {
    if (!this.acceptSymbol(symbol)) throw notWellFormed(detail)
  }

  /** @throws ValidationError with the detail when the next token is another one. */
  expectKeyword(keyword: string, detail: string): void {
    if (!this.acceptKeyword(keyword)) throw notWellFormed(detail)
  }

  /** Parses something that can contain itself, up to the maximum depth. */
  nested<T>(inner: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw notWellFormed('The expression has too many levels')
    const value = inner()
    this.#depth--
    return value
  }

  /** The index of the next `?` among the parameters. */
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

  refused(message: string): ValidationError {
    return refused(message)
  }

  /** @throws ValidationError when there is more to read. */
  finish(): void {
    if (!this.isEnd()) throw notWellFormed(TOKEN_AFTER_EXPRESSION)
  }
}

const OPERATORS: ReadonlySet<string> = new Set(
  '= <> != < <= > >= * / % || AND OR IN IS LIKE BETWEEN UNION EXCEPT INTERSECT'.split(' '),
)
