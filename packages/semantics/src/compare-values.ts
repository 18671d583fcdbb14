import type { AttributeValue, KeyValue } from './attribute-value.js'
import { compareNumbers } from './number/compare-numbers.js'
import { compareStrings } from './utf8.js'

/** Order of two byte strings; a prefix of a string comes before it. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Whether the value has an ordered type, which is also a type that a key can have. */
export function isKeyValue(value: AttributeValue): value is KeyValue {
  return 'S' in value || 'N' in value || 'B' in value
}

/**
 * DynamoDB's order of two values of one type: strings by UTF-8 bytes, numbers exactly, binary by bytes.
 *
 * @example
 * compareKeyValues({ N: '9' }, { N: '10' }) < 0 // true
 * @returns below 0, 0 or above 0; `undefined` when the types differ, since no order is defined between them.
 */
export function compareKeyValues(a: KeyValue, b: KeyValue): number | undefined {
  if ('S' in a) return 'S' in b ? compareStrings(a.S, b.S) : undefined
  if ('N' in a) return 'N' in b ? compareNumbers(a.N, b.N) : undefined
  return 'B' in b ? compareBytes(a.B, b.B) : undefined
}
