import { ATTRIBUTE_TYPES, type AttributeValue, canonicalNumber, type Item } from '@isotherm/semantics'
import { AdvisorError } from '../errors/advisor-error.js'

const TYPES: ReadonlySet<string> = new Set(ATTRIBUTE_TYPES)

/**
 * Items from JSON Lines. A line is an item in DynamoDB's JSON, a line of an export to S3 (`{"Item": ...}`), or a plain
 * object.
 *
 * @throws AdvisorError `sample.malformed`, which names the line
 * @example
 * console.log([...parseItems('{"pk":{"S":"a"}}\n{"pk":"b"}\n')].length) // 2
 */
export function* parseItems(text: string): Generator<Item> {
  let number = 0
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    number++
    if (line.trim() === '') continue
    yield itemOf(line, number)
  }
}

function itemOf(line: string, number: number): Item {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw malformed(number, 'it is not JSON', { cause })
  }
  if (!isObject(value)) throw malformed(number, 'it must be an object')
  const { Item: exported } = value
  const item = isObject(exported) && Object.keys(value).length === 1 ? exported : value
  try {
    return isTyped(item) ? itemFromJson(item) : itemFromPlain(item)
  } catch (cause) {
    if (cause instanceof AdvisorError) throw cause
    throw malformed(number, cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Whether every attribute has one member that is named by a type. */
function isTyped(item: object): boolean {
  const values = Object.values(item)
  return values.length > 0 && values.every(isTypedValue)
}

function isTypedValue(value: unknown): boolean {
  if (!isObject(value)) return false
  const [type, ...more] = Object.keys(value)
  return type !== undefined && more.length === 0 && TYPES.has(type)
}

/** An item in DynamoDB's JSON, binary values in base64. */
function itemFromJson(item: object): Item {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, valueFromJson(value)]))
}

function valueFromJson(value: unknown): AttributeValue {
  const [[type, content] = ['', undefined]] = Object.entries(isObject(value) ? value : {})
  switch (type) {
    case 'S':
      return { S: String(content) }
    case 'N':
      return { N: canonicalNumber(String(content)) }
    case 'B':
      return { B: bytesOf(content) }
    case 'BOOL':
      return { BOOL: content === true || content === 'true' }
    case 'NULL':
      return { NULL: true }
    case 'L':
      return { L: listOf(content).map(valueFromJson) }
    case 'M':
      return { M: itemFromJson(isObject(content) ? content : {}) }
    case 'SS':
      return { SS: listOf(content).map(String) }
    case 'NS':
      return { NS: listOf(content).map((each) => canonicalNumber(String(each))) }
    case 'BS':
      return { BS: listOf(content).map(bytesOf) }
    default:
      throw new TypeError(`'${type}' is not a type of DynamoDB`)
  }
}

function itemFromPlain(item: object): Item {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, valueFromPlain(value)]))
}

function valueFromPlain(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: canonicalNumber(String(value)) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (Array.isArray(value)) return { L: value.map(valueFromPlain) }
  if (isObject(value)) return { M: itemFromPlain(value) }
  return { NULL: true }
}

function bytesOf(content: unknown): Uint8Array {
  return Uint8Array.from(atob(String(content)), (character) => character.charCodeAt(0))
}

function listOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content
  throw new TypeError('a list or a set must be an array')
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function malformed(line: number, rule: string, options?: ErrorOptions): AdvisorError {
  return new AdvisorError(
    'sample.malformed',
    `Line ${line} of the items is malformed: ${rule}. Each line must be one item as JSON.`,
    options,
  )
}
