import { type AttributeValue, type Item, MAX_NESTING_DEPTH } from '@isotherm/semantics'
import type { IsothermError } from '../../errors/isotherm-error.js'
import { requireStorable } from './require-storable.js'
import { unfitValue } from './unfit-value.js'

/**
 * Converts plain attributes to DynamoDB's form. `@aws-sdk/util-dynamodb` does the same, but only `@aws-sdk/lib-dynamodb` installs it,
 * which an application with a plain client does not have. A test compares the two.
 *
 * @param place begins the name of a value in errors
 * @throws IsothermError `pattern.value`
 */
export function toItem(place: string, attributes: unknown): Item {
  const item = toAttributes(place, attributes)
  requireStorable(place, item)
  return item
}

/**
 * The same without the rules that DynamoDB checks itself before it writes anything: for a single request of the application.
 *
 * @throws IsothermError `pattern.value`
 */
export function toAttributes(place: string, attributes: unknown): Item {
  if (!isPlainObject(attributes)) throw unfit(place, attributes, 'an object of attributes')
  return mapOf(place, attributes, 1)
}

/** @throws IsothermError `pattern.value` */
export function toAttributeValue(place: string, value: unknown): AttributeValue {
  return converted(place, value, 1)
}

/** @param level 1 outside of all maps and lists */
function converted(place: string, value: unknown, level: number): AttributeValue {
  switch (typeof value) {
    case 'string':
      return { S: value }
    case 'boolean':
      return { BOOL: value }
    case 'number':
    case 'bigint':
      return { N: numberText(place, value) }
    case 'object':
      return value === null ? { NULL: true } : ofObject(place, value, level)
    default:
      throw unfit(place, value, 'a value that DynamoDB stores; leave an attribute out that has none')
  }
}

function ofObject(place: string, value: object, level: number): AttributeValue {
  if (value instanceof Uint8Array) return { B: value }
  if (value instanceof Set) return ofSet(place, value)
  // More than DynamoDB stores, and an object that contains itself has no end.
  if (level > MAX_NESTING_DEPTH)
    throw unfit(
      place,
      value,
      `inside of fewer maps and lists than ${MAX_NESTING_DEPTH}, and not inside of itself`,
    )
  if (Array.isArray(value)) {
    // Not `value.map`, which leaves out the positions that have no member.
    return { L: Array.from(value, (member, index) => converted(`${place}[${index}]`, member, level + 1)) }
  }
  if (isPlainObject(value)) return { M: mapOf(place, value, level + 1) }
  const cure = value instanceof Date ? '; store a date as its toISOString() or as a number' : ''
  throw unfit(place, value, `a plain object, an array, a Set or a Uint8Array${cure}`)
}

function ofSet(place: string, members: ReadonlySet<unknown>): AttributeValue {
  const all: readonly unknown[] = [...members]
  const texts = all.filter((member) => typeof member === 'string')
  const binary = all.filter((member) => member instanceof Uint8Array)
  const numbers = all.filter((member) => typeof member === 'number' || typeof member === 'bigint')
  if (all.length > 0) {
    if (texts.length === all.length) return { SS: texts }
    if (binary.length === all.length) return { BS: binary }
    if (numbers.length === all.length) return { NS: numbers.map((member) => numberText(place, member)) }
  }
  throw unfit(place, members, 'a Set with members, all of them strings, numbers or Uint8Arrays')
}

function mapOf(place: string, attributes: object, level: number): Item {
  const item: Item = {}
  for (const [name, value] of Object.entries(attributes)) {
    const member = converted(`${place}.${name}`, value, level)
    // A plain assignment to this name would set the prototype.
    if (name === '__proto__') Object.defineProperty(item, name, { value: member, enumerable: true })
    else item[name] = member
  }
  return item
}

function numberText(place: string, value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString()
  if (!Number.isFinite(value)) throw unfit(place, value, 'a finite number')
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw unfit(place, value, 'a number up to 2^53 - 1; give a larger whole number as a bigint')
  }
  return String(value)
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function unfit(place: string, value: unknown, rule: string): IsothermError<'pattern.value'> {
  const shown = typeof value === 'object' && value !== null ? `a ${value.constructor?.name}` : String(value)
  return unfitValue(place, value, shown, rule)
}
