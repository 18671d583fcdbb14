import { attributeOf, attributeType, type Item, isKeyValue, type KeyValue } from '@isotherm/semantics'
import type { KeyAttribute } from './table-definition.js'

/** The values of the key attributes, in order. Returns `undefined` when one is missing or has another type. */
export function keyValues(attributes: readonly KeyAttribute[], item: Item): readonly KeyValue[] | undefined {
  const values: KeyValue[] = []
  for (const { name, type } of attributes) {
    const value = attributeOf(item, name)
    if (value === undefined || !isKeyValue(value) || attributeType(value) !== type) return undefined
    values.push(value)
  }
  return values
}
