import type { AttributeValue, Item } from '@isotherm/semantics'
import type { PlainItem, PlainValue } from './plain-item.js'

/** Converts attributes from DynamoDB's form, as the document client does by default. */
export function toPlainItem(item: Item): PlainItem {
  const plain: Record<string, PlainValue> = {}
  for (const [name, value] of Object.entries(item)) {
    const converted = toPlainValue(value)
    if (name === '__proto__') Object.defineProperty(plain, name, { value: converted, enumerable: true })
    else plain[name] = converted
  }
  return plain
}

function toPlainValue(value: AttributeValue): PlainValue {
  if ('S' in value) return value.S
  if ('N' in value) return toNumber(value.N)
  if ('B' in value) return value.B
  if ('BOOL' in value) return value.BOOL
  if ('NULL' in value) return null
  if ('M' in value) return toPlainItem(value.M)
  if ('L' in value) return value.L.map(toPlainValue)
  if ('SS' in value) return new Set(value.SS)
  if ('NS' in value) return new Set(value.NS.map(toNumber))
  return new Set(value.BS)
}

/** A whole number beyond 2^53 keeps its digits as a bigint. */
function toNumber(text: string): number | bigint {
  const number = Number(text)
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER || !/^-?\d+$/.test(text)) return number
  return BigInt(text)
}
