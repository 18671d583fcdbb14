/**
 * The type of an attribute value, for errors. Untyped callers also send values that are none.
 *
 * @example
 * namedType({ N: 5 }) // 'N with a number in it'
 */
export function namedType(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const [type, held] = Object.entries(value)[0] ?? ['nothing']
  const isText = type === 'S' || type === 'N'
  return isText && typeof held !== 'string' ? `${type} with a ${typeof held} in it` : type
}
