import { attributeOf, attributeType, INVALID_START_KEY_TEXT, type Item } from '@isotherm/semantics'
import { ServiceError, validationException } from '../errors/service-error.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { isInRange, type KeyRange, rangeAfter } from '../keyspace/key-range.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import { decodeGivenKey } from './decode-item.js'
import { checkKeySizes } from './key-checks.js'

/** The service's error texts for an invalid start key. */
interface Refusals {
  /** The key does not have exactly the key attributes, with their types. */
  readonly misfit: string
  /** The key is valid but outside the range. */
  readonly outside: (key: EncodedKey) => string
}

/**
 * The rest of a range after ExclusiveStartKey. No item needs to have this key, but it must be a valid key of this table
 * or index, inside the range.
 *
 * @throws ServiceError
 */
export function rangeFrom(
  startKey: unknown,
  table: Table,
  index: SecondaryIndex | undefined,
  range: KeyRange,
  reverse: boolean,
  { misfit, outside }: Refusals,
): KeyRange {
  if (startKey === undefined || startKey === null) return range
  const key = encodeStartKey(decodeGivenKey(startKey), table, index, misfit)
  if (!isInRange(range, key)) throw validationException(outside(key))
  return rangeAfter(range, key, reverse)
}

function encodeStartKey(
  key: Item,
  table: Table,
  index: SecondaryIndex | undefined,
  misfit: string,
): EncodedKey {
  const { hash, range } = table.definition.schema
  const own = index === undefined ? [] : [...index.definition.schema.hash, ...index.definition.schema.range]
  const attributes = new Map([...hash, ...range, ...own].map((attribute) => [attribute.name, attribute.type]))
  const fits =
    Object.keys(key).length === attributes.size &&
    [...attributes].every(([name, type]) => {
      const value = attributeOf(key, name)
      return value !== undefined && attributeType(value) === type
    })
  if (!fits) throw validationException(misfit)
  try {
    checkKeySizes(table.definition.schema, key)
  } catch (error) {
    throw error instanceof ServiceError
      ? validationException(`${INVALID_START_KEY_TEXT}: ${error.message}`)
      : error
  }
  const encoded = index === undefined ? table.encodeKey(key) : index.encodeEntryKey(key)
  if (encoded === undefined) throw validationException(misfit)
  return encoded
}
