import { hash } from 'node:crypto'
import type { KeyValue } from '@isotherm/semantics'
import { bytesAsText } from '@isotherm/semantics'
import { encodeNumber } from './encode-number.js'
import { RecentKeys } from './recent-keys.js'

/**
 * A position in a keyspace. It is text with one byte per character (0 to 255), so `<`, the fastest comparison in
 * JavaScript, compares the bytes.
 *
 * The key consists of a 64-bit hash of the partition key, the partition key, and the sort key in an encoding that keeps
 * its order. An index entry also ends with the base table's key, because index keys need not be unique.
 */
export type EncodedKey = string & { readonly encodedKey: unique symbol }

/** A byte 0 inside a text becomes 0 255. A text ends with 0 1, so a shorter text sorts before a longer one. */
const END = '\u0000\u0001'
const ESCAPED_ZERO = '\u0000\u00ff'

/** The length of the hash at the beginning of an encoded key. */
export const HASH_BYTES = 8

/** Hashing takes microseconds, and a hot partition key arrives thousands of times a second. */
const partitionPrefixes = new RecentKeys<string>()

/** The prefix shared by all items of one partition key and by no other item. */
export function encodePartition(values: readonly KeyValue[]): string {
  let encoded = ''
  for (const value of values) encoded += encodeKeyValue(value)
  const cached = partitionPrefixes.get(encoded)
  if (cached !== undefined) return cached
  const prefix = hashOf(values) + encoded
  partitionPrefixes.set(encoded, prefix)
  return prefix
}

/** The complete key of an item or an index entry. */
export function encodeKey(
  partition: readonly KeyValue[],
  sort: readonly KeyValue[],
  base: readonly KeyValue[] = [],
): EncodedKey {
  let key = encodePartition(partition)
  for (const value of sort) key += encodeKeyValue(value)
  for (const value of base) key += encodeKeyValue(value)
  return key as EncodedKey
}

/** Encodes one value in bytes that sort as DynamoDB sorts the values. No encoded value is a prefix of another. */
export function encodeKeyValue(value: KeyValue): string {
  return 'N' in value ? encodeNumber(value.N) : encodePrefix(value) + END
}

/** The encoded prefix shared by every value that begins with this one. */
export function encodePrefix(value: KeyValue): string {
  if ('N' in value) return encodeNumber(value.N)
  const bytes = 'S' in value ? utf8Text(value.S) : bytesAsText(value.B)
  return bytes.includes('\u0000') ? bytes.replaceAll('\u0000', ESCAPED_ZERO) : bytes
}

/**
 * The 64-bit hash that positions a partition key. Others found in experiments that this hash reproduces the scan order
 * of Amazon DynamoDB. The hash the service uses today is not documented, and nothing here depends on a match.
 */
function hashOf(values: readonly KeyValue[]): string {
  const [first, ...rest] = values
  const simple = first !== undefined && rest.length === 0 && 'S' in first
  const bytes = simple
    ? `Outliers${first.S}`
    : Buffer.from(`Outliers${values.map(rawText).join('')}`, 'latin1')
  return hash('md5', bytes, 'buffer').toString('latin1', 0, HASH_BYTES)
}

function rawText(value: KeyValue): string {
  if ('S' in value) return utf8Text(value.S)
  return 'N' in value ? encodeNumber(value.N) : bytesAsText(value.B)
}

/** Matches characters that take more than one byte in UTF-8. */
const NOT_ASCII = /[\u0080-\uffff]/

function utf8Text(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}
