import { MAX_PARTITION_KEY_BYTES, utf8Length } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import type { SuffixableKey } from './key.js'

/**
 * @param addedBytes the bytes that the shard adds to the key
 * @throws IsothermError `key.too-long`
 */
export function requireKeyLength(table: string, logical: SuffixableKey, addedBytes: number): void {
  if (hasKeyLength(logical, addedBytes)) return
  const bytes = keyBytes(logical) + addedBytes
  throw new IsothermError(
    'key.too-long',
    `A partition key of ${table} has ${bytes} bytes with its suffix; DynamoDB takes ${MAX_PARTITION_KEY_BYTES}. ` +
      `Shorten the logical key by ${bytes - MAX_PARTITION_KEY_BYTES}.`,
    { table, bytes, maxBytes: MAX_PARTITION_KEY_BYTES },
  )
}

/** Whether DynamoDB accepts a key of this length. */
export function hasKeyLength(logical: SuffixableKey, addedBytes: number): boolean {
  // A character takes at most three bytes in UTF-8, so short texts need not be measured.
  if ('S' in logical && logical.S.length * 3 + addedBytes <= MAX_PARTITION_KEY_BYTES) return true
  return keyBytes(logical) + addedBytes <= MAX_PARTITION_KEY_BYTES
}

function keyBytes(logical: SuffixableKey): number {
  return 'S' in logical ? utf8Length(logical.S) : logical.B.length
}
