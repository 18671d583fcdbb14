import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Token } from './tokens.js'

export type Attributes = Record<string, AttributeValue>

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i
/** `x*1500` is a text of so many letters. */
const REPEATED = /^(\w)\*(\d+)$/
const PLAIN_TEXT = /^[A-Za-z_][\w.#:-]*$/
const REPETITION = /^(\w)\1{9,}$/

/** @throws Error where the token is no value */
export function valueIn(token: Token): AttributeValue {
  const { kind, text } = token
  if (kind === 'quoted') return { S: JSON.parse(text) as string }
  if (kind === 'json') return JSON.parse(text) as AttributeValue
  if (kind !== 'word') throw new Error(`${text} is no value`)
  if (NUMBER.test(text)) return { N: text }
  const [, letter, times] = REPEATED.exec(text) ?? []
  if (letter !== undefined) return { S: letter.repeat(Number(times)) }
  if (PLAIN_TEXT.test(text)) return { S: text }
  throw new Error(`${text} is no value; write a text that is more than a word in quotation marks`)
}

/** As `valueIn` reads it. */
export function valueText(value: AttributeValue): string {
  if (value.N !== undefined) return value.N
  if (value.S === undefined) return JSON.stringify(value)
  if (REPETITION.test(value.S)) return `${value.S[0]}*${value.S.length}`
  return PLAIN_TEXT.test(value.S) ? value.S : JSON.stringify(value.S)
}

/** A value within an expression: there a bare word is the name of an attribute. */
export function quotedValueText(value: AttributeValue): string {
  return value.S === undefined ? valueText(value) : JSON.stringify(value.S)
}
