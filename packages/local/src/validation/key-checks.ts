import {
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
import { invalidParameters, validationException } from '../errors/service-error.js'
import type { KeyAttribute, KeySchema } from '../table/table-definition.js'

// Each item of a batch and of a transaction comes here several times, so these checks allocate nothing.

/** Checks that an item to be stored has its key, with the right types and sizes. @throws ServiceError */
export function checkItemKey(schema: KeySchema, item: Item): void {
  checkAttributesAreThere(schema.hash, item)
  checkAttributesAreThere(schema.range, item)
  checkKeySizes(schema, item)
}

/** Checks that an item of a batch has its key attributes with the right types. @throws ServiceError */
export function checkKeyMatches({ hash, range }: KeySchema, item: Item): void {
  if (!hasAttributes(hash, item) || !hasAttributes(range, item)) throw validationException(KEY_MISMATCH_TEXT)
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
  const { name, schema } = index
  checkIndexAttributes(name, schema.hash, item, operation)
  checkIndexAttributes(name, schema.range, item, operation)
  checkKeySizes(schema, item)
}

/** @throws ServiceError when an item is larger than 400 KB. */
export function checkItemSize(bytes: number, operation: 'put' | 'update'): void {
  if (bytes <= MAX_ITEM_BYTES) return
  throw operation === 'put'
    ? new RefusedAtOnce('Item size has exceeded the maximum allowed size')
    : validationException('Item size to update has exceeded the maximum allowed size')
}

/** Checks that no part of a key is empty. @throws ServiceError */
export function checkKeyNotEmpty(schema: KeySchema, item: Item): void {
  checkNoneIsEmpty(schema.hash, item)
  checkNoneIsEmpty(schema.range, item)
}

/** Checks that no part of a key is empty or too long. @throws ServiceError */
export function checkKeySizes(schema: KeySchema, item: Item): void {
  checkKeyNotEmpty(schema, item)
  if (isOneLarger(schema.hash, item, MAX_PARTITION_KEY_BYTES)) {
    // The missing space is the service's.
    throw invalidParameters(
      `Size of hashkey has exceeded the maximum size limit of${MAX_PARTITION_KEY_BYTES} bytes`,
    )
  }
  if (isOneLarger(schema.range, item, MAX_SORT_KEY_BYTES)) {
    throw validationException(sortKeySizeText())
  }
}

function checkAttributesAreThere(attributes: readonly KeyAttribute[], item: Item): void {
  for (const { name, type } of attributes) {
    const value = attributeOf(item, name)
    if (value === undefined) throw invalidParameters(`Missing the key ${name} in the item`)
    const actual = attributeType(value)
    if (actual === type) continue
    throw invalidParameters(`Type mismatch for key ${name} expected: ${type} actual: ${actual}`)
  }
}

function hasAttributes(attributes: readonly KeyAttribute[], item: Item): boolean {
  for (const { name, type } of attributes) {
    const value = attributeOf(item, name)
    if (value === undefined || attributeType(value) !== type) return false
  }
  return true
}

function checkIndexAttributes(
  index: string,
  attributes: readonly KeyAttribute[],
  item: Item,
  operation: 'put' | 'update',
): void {
  for (const { name, type } of attributes) {
    const value = attributeOf(item, name)
    if (value === undefined) continue
    const key = { index, attribute: name }
    const actual = attributeType(value)
    if (actual !== type) {
      throw validationException(indexKeyTypeText(key, type, actual))
    }
    if (isEmptyKey(value)) throw new RefusedAtOnce(emptyIndexKeyText(key, value, operation))
  }
}

function checkNoneIsEmpty(attributes: readonly KeyAttribute[], item: Item): void {
  for (const { name } of attributes) {
    const value = attributeOf(item, name)
    if (value !== undefined && isEmptyKey(value)) throw validationException(emptyKeyText(name, value))
  }
}

function isOneLarger(attributes: readonly KeyAttribute[], item: Item, limit: number): boolean {
  for (const { name } of attributes) {
    const value = attributeOf(item, name)
    if (value !== undefined && valueBytes(value) > limit) return true
  }
  return false
}
