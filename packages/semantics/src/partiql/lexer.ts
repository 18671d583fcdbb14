import type { Tokens } from '../token-reader.js'
import { isKeyword } from './keywords.js'
import { notWellFormed } from './statement-error.js'

type TokenKind = 'name' | 'keyword' | 'string' | 'number' | 'symbol' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** Keywords in upper case; names and strings without their quotes; everything else as written. */
  readonly text: string
  /** Its place as the service's texts report it: line, column, length. */
  readonly at: string
}

const SPACE = /(?:\s+|--[^\n\r]*|\/\*[\s\S]*?\*\/)*/y
const TOKEN =
  /([A-Za-z_$][A-Za-z0-9_$]*)|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(<<|>>|<>|!=|<=|>=|\|\||[=<>()[\]{},.:;?*+\-%]|\/(?!\*))/y

/**
 * Splits a statement into tokens. Comments count as space: `--` to the end of the line and the block comments of C.
 * @throws ValidationError for text that begins no token, such as an unclosed quote.
 */
export function tokenize(text: string): Tokens<Token> {
  const tokens: Token[] = []
  let line = 1
  let lineStart = 0
  let position = 0
  const skipTo = (end: number) => {
    for (
      let index = text.indexOf('\n', position);
      index >= 0 && index < end;
      index = text.indexOf('\n', index + 1)
    ) {
      line++
      lineStart = index + 1
    }
    position = end
  }
  for (;;) {
    SPACE.lastIndex = position
    SPACE.test(text)
    skipTo(SPACE.lastIndex)
    const column = position - lineStart + 1
    if (position === text.length) {
      return { tokens, end: { kind: 'end', text: '', at: `${line}:${column}:0` } }
    }
    TOKEN.lastIndex = position
    const match = TOKEN.exec(text)
    if (match === null) throw notWellFormed('')
    tokens.push(toToken(match, `${line}:${column}:${match[0].length}`))
    skipTo(TOKEN.lastIndex)
  }
}

function toToken(match: RegExpExecArray, at: string): Token {
  const [whole, word, quoted, string, number] = match
  if (word !== undefined) {
    return isKeyword(word)
      ? { kind: 'keyword', text: word.toUpperCase(), at }
      : { kind: 'name', text: word, at }
  }
  if (quoted !== undefined) return { kind: 'name', text: quoted.replaceAll('""', '"'), at }
  if (string !== undefined) return { kind: 'string', text: string.replaceAll("''", "'"), at }
  if (number === undefined) return { kind: 'symbol', text: whole, at }
  assertConvertible(number)
  return { kind: 'number', text: number, at }
}

/** The service stores numbers as a coefficient and a 32-bit scale, and cannot read one whose scale does not fit. */
function assertConvertible(number: string): void {
  const [mantissa = '', exponentText] = number.toLowerCase().split('e')
  if (exponentText === undefined) return
  const exponent = Number(exponentText)
  const scale = (mantissa.split('.')[1]?.length ?? 0) - exponent
  const fits = (value: number) => value >= -2_147_483_648 && value <= 2_147_483_647
  if (!fits(exponent) || !fits(scale)) throw notWellFormed('')
}
