import { MAX_EXPRESSION_BYTES } from '../limits.js'
import type { Tokens } from '../token-reader.js'
import { utf8Length } from '../utf8.js'
import { ValidationError } from '../validation-error.js'

/** The parameter that an expression was given as; DynamoDB's texts begin with it. */
export type ExpressionParameter =
  | 'ConditionExpression'
  | 'FilterExpression'
  | 'KeyConditionExpression'
  | 'ProjectionExpression'
  | 'UpdateExpression'

type TokenKind = 'word' | 'keyword' | 'name' | 'value' | 'number' | 'symbol' | 'end'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** Index of its first character in the expression. */
  readonly at: number
}

const TOKEN =
  /\s*(?:([A-Za-z][A-Za-z0-9_]*)|(#[A-Za-z0-9_]+)|(:[A-Za-z0-9_]+)|(0|[1-9]\d*)|(<>|<=|>=|[=<>()[\].,+-])|(\S))/y

/** Words of the language. All expressions share them, so `set` cannot be a name in a condition either. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'AND',
  'OR',
  'NOT',
  'BETWEEN',
  'IN',
  'SET',
  'REMOVE',
  'ADD',
  'DELETE',
])

/**
 * Splits an expression into tokens. A character that begins no token becomes a symbol, which no grammar accepts.
 * @throws ValidationError when the expression is empty or longer than 4 KB.
 */
export function tokenize(parameter: ExpressionParameter, text: string): Tokens<Token> {
  if (text === '') throw invalid(parameter, 'The expression can not be empty;')
  const bytes = utf8Length(text)
  if (bytes > MAX_EXPRESSION_BYTES) {
    throw invalid(
      parameter,
      // For updates the service does not report the size.
      `Expression size has exceeded the maximum allowed size;${parameter === 'UpdateExpression' ? '' : ` expression size: ${bytes}`}`,
    )
  }
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    tokens.push(toToken(match))
  }
  return { tokens, end: { kind: 'end', text: '<EOF>', at: text.length } }
}

function toToken(match: RegExpExecArray): Token {
  const [whole, word, name, value, number, symbol, stray = ''] = match
  const text = word ?? name ?? value ?? number ?? symbol ?? stray
  return { kind: kindOf(word, name, value, number), text, at: match.index + whole.length - text.length }
}

function kindOf(word?: string, name?: string, value?: string, number?: string): TokenKind {
  if (word !== undefined) return KEYWORDS.has(word.toUpperCase()) ? 'keyword' : 'word'
  if (name !== undefined) return 'name'
  if (value !== undefined) return 'value'
  return number === undefined ? 'symbol' : 'number'
}

/** The error for a parameter, in the service's form: `Invalid <parameter>: <what>`. */
export function invalid(parameter: ExpressionParameter, what: string): ValidationError {
  return new ValidationError('expression.invalid', `Invalid ${parameter}: ${what}`)
}
