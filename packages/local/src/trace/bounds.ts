/** JSON has no infinity and would print null, so infinite bounds are printed as this text. */
const UNBOUNDED = 'unbounded'

/** A `JSON.stringify` replacer that preserves infinite numbers. */
export function boundsToText(_member: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? UNBOUNDED : value
}

/** Restores infinite numbers in a parsed value. */
export function boundsFromText<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_member, each) =>
    each === UNBOUNDED ? Number.POSITIVE_INFINITY : each,
  )
}
