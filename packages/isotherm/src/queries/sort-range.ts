import {
  compareKeyValues,
  type KeyValue,
  MAX_SORT_KEY_BYTES,
  type SortCondition,
  utf8Length,
} from '@isotherm/semantics'

/** One end of a range of sort keys. */
interface Bound {
  readonly value: KeyValue
  readonly inclusive: boolean
}

/** Sort keys from `lower` to `upper`. A missing bound does not limit the range. */
export interface SortRange {
  readonly lower: Bound | undefined
  readonly upper: Bound | undefined
}

/** The range of a sort condition. Without a condition, it is everything. */
export function rangeOf(condition: SortCondition | undefined): SortRange {
  if (condition === undefined) return { lower: undefined, upper: undefined }
  if (condition.operator === 'between') return closed(condition.from, condition.to)
  if (condition.operator === 'begins_with') return prefixRange(condition.prefix)
  const { operator, value } = condition
  if (operator === '=') return closed(value, value)
  const bound = { value, inclusive: operator === '<=' || operator === '>=' }
  return operator === '<' || operator === '<='
    ? { lower: undefined, upper: bound }
    : { lower: bound, upper: undefined }
}

/** Whether the range contains the sort key. A key of another type is in no range that has a bound. */
export function contains({ lower, upper }: SortRange, value: KeyValue): boolean {
  return isBeyond(value, lower, 1) && isBeyond(value, upper, -1)
}

/** The part of the range from one of its sort keys on, inclusive. */
export function from(range: SortRange, value: KeyValue, direction: 1 | -1): SortRange {
  const bound = { value, inclusive: true }
  return direction === 1 ? { ...range, lower: bound } : { ...range, upper: bound }
}

/** The part of the range after one of its sort keys. */
export function after(range: SortRange, value: KeyValue, direction: 1 | -1): SortRange {
  const bound = { value, inclusive: false }
  return direction === 1 ? { ...range, lower: bound } : { ...range, upper: bound }
}

/** The part of the range up to one of its sort keys, inclusive. */
export function upTo(range: SortRange, value: KeyValue, direction: 1 | -1): SortRange {
  return from(range, value, direction === 1 ? -1 : 1)
}

/** The bound at which reading begins. */
export function firstBound({ lower, upper }: SortRange, direction: 1 | -1): Bound | undefined {
  return direction === 1 ? lower : upper
}

/** Whether the range has nothing up to a sort key, inclusive. */
export function beginsBehind(range: SortRange, value: KeyValue, direction: 1 | -1): boolean {
  const first = firstBound(range, direction)
  if (first === undefined) return false
  const beyond = direction * (compareKeyValues(first.value, value) ?? 0)
  return beyond > 0 || (beyond === 0 && !first.inclusive)
}

/** Whether nothing of the range remains after one of its sort keys. */
export function endsAt({ lower, upper }: SortRange, value: KeyValue, direction: 1 | -1): boolean {
  const last = direction === 1 ? upper : lower
  return last !== undefined && compareKeyValues(last.value, value) === 0
}

/**
 * Whether a shard that was read up to a sort key has nothing left in the range.
 * @param isUnique whether that sort key can have at most one item
 */
export function isAtEnd(
  { lower, upper }: SortRange,
  value: KeyValue,
  direction: 1 | -1,
  isUnique: boolean,
): boolean {
  const last = direction === 1 ? upper : lower
  if (last === undefined) return false
  const beyond = direction * (compareKeyValues(value, last.value) ?? 0)
  return beyond > 0 || (beyond === 0 && (isUnique || !last.inclusive))
}

function isBeyond(value: KeyValue, bound: Bound | undefined, direction: 1 | -1): boolean {
  if (bound === undefined) return true
  const order = compareKeyValues(value, bound.value)
  return order !== undefined && (order === 0 ? bound.inclusive : order * direction > 0)
}

function closed(low: KeyValue, high: KeyValue): SortRange {
  return { lower: { value: low, inclusive: true }, upper: { value: high, inclusive: true } }
}

function prefixRange(prefix: KeyValue): SortRange {
  // No other sort key begins with one of full length. The next text may be a byte longer, which the service rejects in a request.
  if ('S' in prefix && utf8Length(prefix.S) === MAX_SORT_KEY_BYTES) return closed(prefix, prefix)
  const next = 'S' in prefix ? nextText(prefix.S) : 'B' in prefix ? nextBytes(prefix.B) : undefined
  return {
    lower: { value: prefix, inclusive: true },
    upper: next === undefined ? undefined : { value: next, inclusive: false },
  }
}

const FIRST_SURROGATE = 0xd800
const AFTER_SURROGATES = 0xe000
const LAST_CODE_POINT = 0x10ffff

/**
 * The first text after all texts with this prefix. UTF-8 sorts by code points, and surrogates are not code points of
 * texts.
 */
function nextText(prefix: string): KeyValue | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  while (points.at(-1) === LAST_CODE_POINT) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  points.push(last + 1 === FIRST_SURROGATE ? AFTER_SURROGATES : last + 1)
  return { S: points.map((point) => String.fromCodePoint(point)).join('') }
}

function nextBytes(prefix: Uint8Array): KeyValue | undefined {
  let length = prefix.length
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1
  if (length === 0) return undefined
  // Not `slice`, which shares the memory of a Buffer.
  const next = Uint8Array.from(prefix.subarray(0, length))
  next[length - 1] = (next[length - 1] ?? 0) + 1
  return { B: next }
}
