import type { AttributeValue, Item } from './attribute-value.js'
import { compareBytes } from './compare-values.js'
import { equalOnce } from './equal-large-values.js'

/**
 * Whether DynamoDB takes two values for equal: the types must match, the order matters in lists and not in sets, and
 * numbers are compared in canonical text.
 */
export function equalValues(a: AttributeValue, b: AttributeValue): boolean {
  if (a === b) return true
  if ('S' in a) return 'S' in b && a.S === b.S
  if ('N' in a) return 'N' in b && a.N === b.N
  if ('B' in a) return 'B' in b && compareBytes(a.B, b.B) === 0
  if ('BOOL' in a) return 'BOOL' in b && a.BOOL === b.BOOL
  if ('NULL' in a) return 'NULL' in b
  if ('L' in a) return 'L' in b && equalLists(a.L, b.L)
  if ('M' in a) return 'M' in b && equalItems(a.M, b.M)
  if ('SS' in a) return 'SS' in b && equalSets(a.SS, b.SS)
  if ('NS' in a) return 'NS' in b && equalSets(a.NS, b.NS)
  return 'BS' in b && equalBinarySets(a.BS, b.BS)
}

/** Whether two items have the same attributes with equal values. */
export function equalItems(a: Item, b: Item): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => {
    const left = a[name]
    const right = Object.hasOwn(b, name) ? b[name] : undefined
    return left !== undefined && right !== undefined && equalValues(left, right)
  })
}

function equalLists(a: readonly AttributeValue[], b: readonly AttributeValue[]): boolean {
  if (a.length !== b.length) return false
  return equalOnce(a, b, () =>
    a.every((left, index) => {
      const right = b[index]
      return right !== undefined && equalValues(left, right)
    }),
  )
}

function equalSets(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  // Sets in order are equal member by member. Sets of another origin may be in any order.
  return equalOnce(a, b, () => {
    if (a.every((member, index) => member === b[index])) return true
    const members = new Set(a)
    return b.every((member) => members.has(member))
  })
}

function equalBinarySets(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  if (a.length !== b.length) return false
  return equalOnce(a, b, () => equalSets(a.map(bytesAsText), b.map(bytesAsText)))
}

/** One character for each byte: two texts are equal exactly where the bytes are. */
export function bytesAsText(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
