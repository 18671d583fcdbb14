import type { AttributeValue, Item } from './attribute-value.js'
import { utf8Length } from './utf8.js'

const CONTAINER_OVERHEAD_BYTES = 3
const ELEMENT_OVERHEAD_BYTES = 1
const MINUS = 45
const POINT = 46
const ZERO = 48

/**
 * The size of an item in bytes, which DynamoDB bills and limits: names and values of all attributes.
 *
 * @example
 * itemBytes({ 'shirt-color': { S: 'R' }, 'shirt-size': { S: 'M' } }) // 23
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function itemBytes(item: Item): number {
  let bytes = 0
  for (const name in item) {
    const value = item[name]
    if (value !== undefined) bytes += attributeBytes(name, value)
  }
  return bytes
}

/** The size of one attribute, name included, in bytes. */
export function attributeBytes(name: string, value: AttributeValue): number {
  return utf8Length(name) + valueBytes(value)
}

/** The size of a value without its name, in bytes. */
export function valueBytes(value: AttributeValue): number {
  if ('S' in value) return utf8Length(value.S)
  if ('N' in value) return numberBytes(value.N)
  if ('B' in value) return value.B.length
  if ('BOOL' in value || 'NULL' in value) return 1
  if ('M' in value) return mapBytes(value.M)
  if ('L' in value) return sum(value.L, elementBytes) + CONTAINER_OVERHEAD_BYTES
  if ('SS' in value) return sum(value.SS, utf8Length)
  if ('NS' in value) return sum(value.NS, numberBytes)
  return sum(value.BS, (bytes) => bytes.length)
}

/**
 * The size of a number: one byte for two digits, aligned to even powers of ten, and one for the sign and exponent. AWS
 * documents an approximation ("about a byte for two significant digits, and one more"); the alignment comes from
 * published measurements.
 */
function numberBytes(canonical: string): number {
  if (canonical === '0') return 1
  const negative = canonical.charCodeAt(0) === MINUS
  const start = negative ? 1 : 0
  let first = -1
  let last = -1
  let point = canonical.length
  for (let index = start; index < canonical.length; index++) {
    const code = canonical.charCodeAt(index)
    if (code === POINT) point = index
    else if (code !== ZERO) {
      if (first < 0) first = index
      last = index
    }
  }
  const digits = last - first + 1 - (point > first && point < last ? 1 : 0)
  const exponent = first < point ? point - first - 1 : point - first
  const aligned = digits % 2 === 1 || exponent % 2 !== 0
  return 1 + Math.ceil(digits / 2) + (aligned ? 0 : 1) + (negative ? 1 : 0)
}

function mapBytes(map: Item): number {
  let bytes = CONTAINER_OVERHEAD_BYTES
  for (const name in map) {
    const value = map[name]
    if (value !== undefined) bytes += ELEMENT_OVERHEAD_BYTES + attributeBytes(name, value)
  }
  return bytes
}

function elementBytes(value: AttributeValue): number {
  return ELEMENT_OVERHEAD_BYTES + valueBytes(value)
}

function sum<T>(members: readonly T[], bytesOf: (member: T) => number): number {
  let bytes = 0
  for (const member of members) bytes += bytesOf(member)
  return bytes
}
