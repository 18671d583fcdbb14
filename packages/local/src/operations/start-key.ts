import { attributeOf, attributeType, type Item } from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { isInRange, type KeyRange, rangeAfter } from '../keyspace/key-range.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import { decodeItem } from '../validation/decode-item.js'
import { checkKeySizes } from '../validation/key-checks.js'
import { ServiceError, validationException } from '../wire/service-error.js'

/**
 * What is left of a range after ExclusiveStartKey. The key may be one that no item has (any more), but it must be a key
 * of this table or index, inside the range.
 *
 * @param outside the service's text for a key that lies elsewhere.
 * @throws ServiceError
 */
export function rangeFrom(
  startKey: unknown,
  table: Table,
  index: SecondaryIndex | undefined,
  range: KeyRange,
  reverse: boolean,
  outside: (key: EncodedKey) => string,
): KeyRange {
  if (startKey === undefined || startKey === null) return range
  const key = encodeStartKey(decodeItem(startKey), table, index)
  if (!isInRange(range, key)) throw validationException(outside(key))
  return rangeAfter(range, key, reverse)
}

function encodeStartKey(key: Item, table: Table, index: SecondaryIndex | undefined): EncodedKey {
  const { hash, range } = table.definition.schema
  const own = index === undefined ? [] : [...index.definition.schema.hash, ...index.definition.schema.range]
  const attributes = new Map([...hash, ...range, ...own].map((attribute) => [attribute.name, attribute.type]))
  const fits =
    Object.keys(key).length === attributes.size &&
    [...attributes].every(([name, type]) => {
      const value = attributeOf(key, name)
      return value !== undefined && attributeType(value) === type
    })
  if (!fits) throw invalidStartKey('The provided key element does not match the schema')
  try {
    checkKeySizes(table.definition.schema, key)
  } catch (error) {
    throw error instanceof ServiceError ? invalidStartKey(error.message) : error
  }
  const encoded = index === undefined ? table.encodeKey(key) : index.encodeEntryKey(key)
  if (encoded === undefined) throw invalidStartKey('The provided key element does not match the schema')
  return encoded
}

function invalidStartKey(why: string): ServiceError {
  return validationException(`The provided starting key is invalid: ${why}`)
}
