/**
 * A part of a line: `word`, such as `k_4/1`; `quoted`, such as `"light blue"`; `name`, an attribute name in backticks; `json`, in
 * braces; `sign`, such as `=`.
 */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'name' | 'json' | 'sign'
  /** As it stands in the line. */
  readonly text: string
}

const QUOTED = /"(?:[^"\\]|\\.)*"/y
const WORD = /(?:[^\s"`(),;=<>{}]|"(?:[^"\\]|\\.)*")+/y
const NAME = /`[^`]+`/y
const SIGN = /<=|>=|<>|[(),;=<>]/y

/** @throws Error for a quotation or a brace that does not end */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] ?? '')) {
      at += 1
      continue
    }
    const token = tokenAt(text, at)
    if (token === undefined) throw new Error(`it is not clear what ${text.slice(at)} is`)
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

function tokenAt(text: string, at: number): Token | undefined {
  if (text[at] === '{') return { kind: 'json', text: bracedAt(text, at) }
  const word = matchAt(WORD, text, at)
  if (word !== undefined) return { kind: matchAt(QUOTED, word, 0) === word ? 'quoted' : 'word', text: word }
  const name = matchAt(NAME, text, at)
  if (name !== undefined) return { kind: 'name', text: name }
  const sign = matchAt(SIGN, text, at)
  return sign === undefined ? undefined : { kind: 'sign', text: sign }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** Up to the brace that ends it; braces within quotations do not count. */
function bracedAt(text: string, from: number): string {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const quoted = text[at] === '"' ? matchAt(QUOTED, text, at) : undefined
    if (quoted !== undefined) at += quoted.length - 1
    else if (text[at] === '{') depth += 1
    else if (text[at] === '}') depth -= 1
    if (depth === 0) return text.slice(from, at + 1)
  }
  throw new Error(`${text.slice(from)} has a brace that is not closed`)
}

/** Reads tokens one after the other. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get next(): Token | undefined {
    return this.#tokens[this.#at]
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  /** @throws Error where nothing is left */
  take(what: string): Token {
    const token = this.next
    if (token === undefined) throw new Error(`${what} is missing at the end`)
    this.#at += 1
    return token
  }

  /** Whether the next one was this, which is read then. */
  takes(text: string): boolean {
    const isNext = this.next?.text === text
    if (isNext) this.#at += 1
    return isNext
  }

  /** The tokens up to one of these words, or to the end. */
  until(words: readonly string[]): readonly Token[] {
    const from = this.#at
    while (!this.isAtEnd && !words.includes(this.next?.text ?? '')) this.#at += 1
    return this.#tokens.slice(from, this.#at)
  }

  /** @throws Error where something is left */
  requireEnd(): void {
    const { next } = this
    if (next !== undefined) throw new Error(`${next.text} does not belong here`)
  }
}

/** The tokens between separators. */
export function splitAt(tokens: readonly Token[], separator: string): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'sign' && token.text === separator) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}
