export { ATTRIBUTE_TYPES, attributeType } from './attribute-type.js'
export type { AttributeType, AttributeValue, Item, KeyType, KeyValue } from './attribute-value.js'
export {
  READ_UNIT_BYTES,
  type ReadConsistency,
  readUnits,
  TRANSACTIONAL_PRICE,
  writeUnits,
} from './capacity-units.js'
export { compareBytes, compareKeyValues, isKeyValue } from './compare-values.js'
export { isEmptyKey } from './empty-key.js'
export { bytesAsText, equalItems, equalValues } from './equal-values.js'
export * from './expressions/index.js'
export { attributeBytes, itemBytes, valueBytes } from './item-size.js'
export * from './limits.js'
export { neighbourKeyValue } from './neighbour-key-value.js'
export { addNumbers, subtractNumbers } from './number/arithmetic.js'
export { canonicalNumber } from './number/canonical-number.js'
export { compareNumbers } from './number/compare-numbers.js'
export { type Decimal, formatDecimal, parseDecimal } from './number/decimal.js'
export * from './partiql/index.js'
export { orderedBinaries, orderedNumbers, orderedStrings } from './set-order.js'
export * from './texts/index.js'
export { compareStrings, utf8Length } from './utf8.js'
export { ValidationError } from './validation-error.js'
