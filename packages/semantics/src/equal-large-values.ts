/** Fewer members are compared again faster than a result is found. */
const MIN_MEMBERS = 64

/** Results by the members of both values, which never change. */
const results = new WeakMap<object, WeakMap<object, boolean>>()

/**
 * Compares two large sets, lists or maps once, however often the conditions of a request compare them. One expression
 * can compare the same two values three hundred times.
 * @param a the members of a value.
 * @param b the members of another one.
 */
export function equalOnce(a: object, b: object, compare: () => boolean): boolean {
  if (!Array.isArray(a) || a.length < MIN_MEMBERS) return compare()
  const known = results.get(a)?.get(b)
  if (known !== undefined) return known
  const result = compare()
  const ofA = results.get(a) ?? new WeakMap<object, boolean>()
  results.set(a, ofA)
  ofA.set(b, result)
  return result
}
