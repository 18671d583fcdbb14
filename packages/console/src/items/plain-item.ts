import { canonicalNumber, ValidationError } from '@isotherm/semantics'
import type { JsonItem, JsonValue } from './item.js'

/**
 * An item as plain JSON.
 * @returns `undefined` if plain JSON cannot express it: sets, bytes, and numbers with more digits than JavaScript keeps
 */
export function plainText(item: JsonItem): string | undefined {
  const plain = plainMap(item)
  return plain === undefined ? undefined : JSON.stringify(plain, undefined, 2)
}

/**
 * The item of plain JSON.
 * @throws Error that names what plain JSON cannot express
 */
export function itemOfPlain(text: string): JsonItem {
  const value: unknown = JSON.parse(text)
  const long = numbersIn(text).find((number) => !isKept(number))
  if (long !== undefined) {
    throw new Error(
      `The number ${long} has more digits than JSON keeps, or is beyond DynamoDB's numbers. Write it as DynamoDB JSON.`,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('An item is an object, such as { "id": "a" }.')
  }
  return typedMap(value)
}

function plainMap(item: JsonItem): Readonly<Record<string, unknown>> | undefined {
  const members = Object.entries(item).map(([name, value]) => [name, plainValue(value)] as const)
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members)
}

function plainValue(value: JsonValue): unknown {
  const [[type, content] = ['', undefined]] = Object.entries(value)
  switch (type) {
    case 'S':
    case 'BOOL':
      return content
    case 'N':
      return isKept(String(content)) ? Number(content) : undefined
    case 'NULL':
      return null
    case 'M':
      return plainMap(content as JsonItem)
    case 'L': {
      const values = (content as readonly JsonValue[]).map(plainValue)
      return values.includes(undefined) ? undefined : values
    }
    default:
      return undefined
  }
}

function typedMap(value: object): JsonItem {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, typedValue(member)]))
}

function typedValue(value: unknown): JsonValue {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (Array.isArray(value)) return { L: value.map(typedValue) }
  return value === null ? { NULL: true } : { M: typedMap(value as object) }
}

/** Whether JavaScript keeps all digits of a number. */
function isKept(text: string): boolean {
  const value = Number(text)
  if (!Number.isFinite(value)) return false
  try {
    return canonicalNumber(String(value)) === canonicalNumber(text)
  } catch (error) {
    // Smaller or larger than DynamoDB's numbers.
    if (error instanceof ValidationError) return false
    throw error
  }
}

const TEXTS = /"(?:\\.|[^"\\])*"/g
const NUMBERS = /-?\d[\d.eE+-]*/g

function numbersIn(text: string): readonly string[] {
  return text.replaceAll(TEXTS, '').match(NUMBERS) ?? []
}
