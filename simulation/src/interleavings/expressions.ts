import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { type Token, tokensOf } from './tokens.js'
import { type Attributes, quotedValueText, valueIn } from './values.js'

const KEYWORDS = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN'])
const NUMBER = /^-?\d+(\.\d+)?$/
const PLAIN_NAME = /^[A-Za-z_]\w*$/
const PLACEHOLDER = /[#:][A-Za-z0-9_]+/g

/** The names and values of one request: expressions are written with their names and values in them. */
export class Placeholders {
  readonly #names = new Map<string, string>()
  readonly #values = new Map<string, AttributeValue>()

  /** An expression as the service takes it. @throws Error for a value that is none */
  expression(tokens: readonly Token[]): string {
    return tokens.map((token, index) => this.#part(token, tokens[index + 1]?.text === '(')).join(' ')
  }

  /** The members of a request that hold them. */
  get members(): {
    ExpressionAttributeNames?: Record<string, string>
    ExpressionAttributeValues?: Attributes
  } {
    return {
      ...(this.#names.size === 0 ? {} : { ExpressionAttributeNames: inverse(this.#names) }),
      ...(this.#values.size === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(this.#values) }),
    }
  }

  value(value: AttributeValue): string {
    const placeholder = `:v${this.#values.size}`
    this.#values.set(placeholder, value)
    return placeholder
  }

  name(name: string): string {
    const known = this.#names.get(name) ?? `#n${this.#names.size}`
    this.#names.set(name, known)
    return known
  }

  #part(token: Token, isFunction: boolean): string {
    const { kind, text } = token
    if (kind === 'name') return this.name(text.slice(1, -1))
    if (kind === 'quoted' || kind === 'json' || NUMBER.test(text)) return this.value(valueIn(token))
    if (kind === 'sign' || isFunction || KEYWORDS.has(text) || !PLAIN_NAME.test(text)) return text
    return this.name(text)
  }
}

/** An expression of a request with its names and values in it, as `Placeholders` reads it. */
export function expressionText(
  expression: string,
  {
    ExpressionAttributeNames: names = {},
    ExpressionAttributeValues: values = {},
  }: {
    readonly ExpressionAttributeNames?: Record<string, string>
    readonly ExpressionAttributeValues?: Attributes
  },
): string {
  return expression.replace(PLACEHOLDER, (placeholder) => {
    const value = values[placeholder]
    return value === undefined ? nameText(names[placeholder] ?? placeholder) : quotedValueText(value)
  })
}

function nameText(name: string): string {
  const isPlain = PLAIN_NAME.test(name) && !KEYWORDS.has(name) && tokensOf(name).length === 1
  return isPlain ? name : `\`${name}\``
}

function inverse(names: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...names].map(([name, placeholder]) => [placeholder, name]))
}
