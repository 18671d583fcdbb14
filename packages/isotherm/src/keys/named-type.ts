const TYPES = ['S', 'N', 'B', 'BOOL', 'NULL', 'M', 'L', 'SS', 'NS', 'BS']

/**
 * Says what is wrong with a value where the SDK takes another form: a plain value sent by a client of attribute values, or the reverse.
 *
 * @returns `undefined` for an attribute value of any type
 */
export function wrongForm(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null)
    return `${plainText(value)}, which is no attribute value such as { S: 'a' }. A DynamoDBDocumentClient takes plain values.`
  const members = Object.entries(value)
  const [type, held] = members.find(([, each]) => each !== undefined) ?? members[0] ?? []
  if (type === undefined) return "an empty object, which is no attribute value such as { S: 'a' }."
  if (held === undefined) return `undefined (as ${type}). Set it.`
  const inMap = type === 'M' && typeof held === 'object' && held !== null ? Object.keys(held) : []
  return inMap.length === 1 && TYPES.includes(inMap[0] as string)
    ? 'an attribute value, sent by a DynamoDBDocumentClient, which takes plain values. Send the value itself.'
    : undefined
}

/** An untyped caller may send a text of any length. */
const MOST_CHARACTERS = 40

function plainText(value: unknown): string {
  if (typeof value !== 'string') return String(value)
  return JSON.stringify(value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)}…` : value)
}

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
