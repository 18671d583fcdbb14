import {
  type AttributeValue,
  attributeOf,
  attributeType,
  emptyIndexKeyText,
  emptyKeyText,
  type Item,
  indexKeyTypeText,
  isEmptyKey,
  KEY_MISMATCH_TEXT,
  MAX_ITEM_BYTES,
  MAX_PARTITION_KEY_BYTES,
  MAX_SORT_KEY_BYTES,
  sortKeySizeText,
  valueBytes,
} from '@isotherm/semantics'
import { RefusedAtOnce } from '../errors/refused-at-once.js'
import { invalidParameters, type ServiceError, validationException } from '../errors/service-error.js'
import type { KeyAttribute, KeySchema } from '../table/table-definition.js'

/** Checks that an item to be stored has its key, with the right types and sizes. @throws ServiceError */
export function checkItemKey(schema: KeySchema, item: Item): void {
  for (const attribute of [...schema.hash, ...schema.range]) {
    const value = attributeOf(item, attribute.name)
    if (value === undefined) throw invalidParameters(`Missing the key ${attribute.name} in the item`)
    checkKeyType(attribute, value)
  }
  checkKeySizes(schema, item)
}

/** Checks that an item of a batch has its key attributes with the right types. @throws ServiceError */
export function checkKeyMatches(schema: KeySchema, item: Item): void {
  const fits = [...schema.hash, ...schema.range].every(({ name, type }) => {
    const value = attributeOf(item, name)
    return value !== undefined && attributeType(value) === type
  })
  if (!fits) throw validationException(KEY_MISMATCH_TEXT)
}

/** Checks that a key parameter has exactly the key attributes of the table. @throws ServiceError */
export function checkKey(schema: KeySchema, key: Item): void {
  if (Object.keys(key).length !== schema.hash.length + schema.range.length) {
    throw validationException(KEY_MISMATCH_TEXT)
  }
  checkKeyMatches(schema, key)
  checkKeySizes(schema, key)
}

/** Checks that the key attributes of an index have the right types in an item. @throws ServiceError */
export function checkIndexKey(
  index: { readonly name: string; readonly schema: KeySchema },
  item: Item,
  operation: 'put' | 'update',
): void {
  for (const { name, type } of [...index.schema.hash, ...index.schema.range]) {
    const value = attributeOf(item, name)
    if (value === undefined) continue
    const key = { index: index.name, attribute: name }
    const actual = attributeType(value)
    if (actual !== type) {
      throw validationException(indexKeyTypeText(key, type, actual))
    }
    if (isEmptyKey(value)) throw new RefusedAtOnce(emptyIndexKeyText(key, value, operation))
  }
  checkKeySizes(index.schema, item)
}

/** @throws ServiceError when an item is larger than 400 KB. */
export function checkItemSize(bytes: number, operation: 'put' | 'update'): void {
  if (bytes <= MAX_ITEM_BYTES) return
  throw operation === 'put'
    ? new RefusedAtOnce('Item size has exceeded the maximum allowed size')
    : validationException('Item size to update has exceeded the maximum allowed size')
}

function checkKeyType({ name, type }: KeyAttribute, value: AttributeValue): void {
  const actual = attributeType(value)
  if (actual === type) return
  throw invalidParameters(`Type mismatch for key ${name} expected: ${type} actual: ${actual}`)
}

/** Checks that no part of a key is empty. @throws ServiceError */
export function checkKeyNotEmpty(schema: KeySchema, item: Item): void {
  for (const { name } of [...schema.hash, ...schema.range]) {
    const value = attributeOf(item, name)
    if (value !== undefined && isEmptyKey(value)) throw emptyKey(name, value)
  }
}

/** Checks that no part of a key is empty or too long. @throws ServiceError */
export function checkKeySizes(schema: KeySchema, item: Item): void {
  checkKeyNotEmpty(schema, item)
  const tooLarge = (attributes: readonly KeyAttribute[], limit: number) =>
    attributes.some(({ name }) => {
      const value = attributeOf(item, name)
      return value !== undefined && valueBytes(value) > limit
    })
  if (tooLarge(schema.hash, MAX_PARTITION_KEY_BYTES)) {
    // The missing space is the service's.
    throw invalidParameters(
      `Size of hashkey has exceeded the maximum size limit of${MAX_PARTITION_KEY_BYTES} bytes`,
    )
  }
  if (tooLarge(schema.range, MAX_SORT_KEY_BYTES)) {
    throw validationException(sortKeySizeText())
  }
}

function emptyKey(name: string, value: AttributeValue): ServiceError {
  return validationException(emptyKeyText(name, value))
}
