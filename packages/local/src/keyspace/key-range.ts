import type { KeyValue, SortCondition } from '@isotherm/semantics'
import { type EncodedKey, encodeKeyValue, encodePartition, encodePrefix, HASH_BYTES } from './encoded-key.js'

/**
 * A part of a keyspace, from a key (inclusive) to a key (exclusive). Without `to` it reaches the end of the keyspace.
 */
export interface KeyRange {
  readonly from: EncodedKey
  readonly to: EncodedKey | undefined
}

export const WHOLE_KEYSPACE: KeyRange = { from: '' as EncodedKey, to: undefined }

/**
 * The range of one partition key, narrowed by the sort conditions. All conditions except the last must be equalities,
 * which a key condition guarantees.
 */
export function rangeOfPartition(
  partition: readonly KeyValue[],
  sort: readonly SortCondition[] = [],
): KeyRange {
  let prefix = encodePartition(partition)
  for (const condition of sort) {
    if (condition.operator !== '=') return rangeOfCondition(prefix, condition)
    prefix += encodeKeyValue(condition.value)
  }
  return rangeOfPrefix(prefix)
}

/** The rest of a range for the page after `key`, in either direction. */
export function rangeAfter(range: KeyRange, key: EncodedKey, reverse: boolean): KeyRange {
  return reverse ? { from: range.from, to: key } : { from: `${key}\u0000` as EncodedKey, to: range.to }
}

export function isInRange({ from, to }: KeyRange, key: EncodedKey): boolean {
  return key >= from && (to === undefined || key < to)
}

/** Segment `segment` of `total` equal parts of the hash space. */
export function rangeOfSegment(segment: number, total: number): KeyRange {
  return {
    from: hashBorder(segment, total),
    to: segment + 1 < total ? hashBorder(segment + 1, total) : undefined,
  }
}

/** The first key of part `index` of `total` equal parts of the hash space. */
export function hashBorder(index: number, total: number): EncodedKey {
  if (index === 0) return WHOLE_KEYSPACE.from
  const hash = (BigInt(index) << 64n) / BigInt(total)
  return Buffer.from(hash.toString(16).padStart(HASH_BYTES * 2, '0'), 'hex').toString('latin1') as EncodedKey
}

function rangeOfCondition(prefix: string, condition: SortCondition): KeyRange {
  const all = rangeOfPrefix(prefix)
  const range = (from: string, to: string | undefined) => ({
    from: from as EncodedKey,
    to: to as EncodedKey | undefined,
  })
  switch (condition.operator) {
    case '=':
      return rangeOfPrefix(prefix + encodeKeyValue(condition.value))
    case 'begins_with':
      return rangeOfPrefix(prefix + encodePrefix(condition.prefix))
    case 'between':
      return range(prefix + encodeKeyValue(condition.from), endOf(prefix + encodeKeyValue(condition.to)))
    case '<':
      return range(all.from, prefix + encodeKeyValue(condition.value))
    case '<=':
      return range(all.from, endOf(prefix + encodeKeyValue(condition.value)))
    case '>':
      return range(endOf(prefix + encodeKeyValue(condition.value)) ?? prefix, all.to)
    case '>=':
      return range(prefix + encodeKeyValue(condition.value), all.to)
  }
}

/** All keys that begin with the prefix. */
export function rangeOfPrefix(prefix: string): KeyRange {
  return { from: prefix as EncodedKey, to: endOf(prefix) as EncodedKey | undefined }
}

/** The first key after all keys that begin with the prefix. Returns `undefined` when no such key exists. */
function endOf(prefix: string): string | undefined {
  let length = prefix.length
  while (length > 0 && prefix.charCodeAt(length - 1) === 0xff) length--
  if (length === 0) return undefined
  return prefix.slice(0, length - 1) + String.fromCharCode(prefix.charCodeAt(length - 1) + 1)
}
