/** JSON has no infinity, and would make it null: what has no bound is written so. */
const UNBOUNDED = 'unbounded'

/** A value whose infinite numbers JSON can hold. */
export function boundsToText(_member: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? UNBOUNDED : value
}

/** The value that was written, with its infinite numbers. */
export function boundsFromText<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_member, each) =>
    each === UNBOUNDED ? Number.POSITIVE_INFINITY : each,
  )
}
