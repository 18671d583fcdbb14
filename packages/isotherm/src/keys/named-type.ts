/**
 * The type of an attribute value, for errors. Untyped callers also send values that are none.
 *
 * @example
 * namedType({ N: 5 }) // 'N with a number in it'
 */
export function namedType(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).filter(([, held]) => held !== undefined)
  if (members.length > 1) return members.map(([type]) => type).join(' and ')
  const [type, held] = members[0] ?? ['nothing']
  // The SDK's types have bytes only. Its versions differ in what they send for a text.
  if (type === 'B' && !(held instanceof Uint8Array)) return 'B without a Uint8Array in it'
  const isText = type === 'S' || type === 'N'
  return isText && typeof held !== 'string' ? `${type} with a ${typeof held} in it` : type
}
