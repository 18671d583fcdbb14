/**
 * A recorded request in the form of the SDK: bytes are base64 in a trace. It asks for the consumed capacity, which the
 * report needs.
 */
export function sdkRequest(request: object): object {
  return { ...(withBytes(request) as object), ReturnConsumedCapacity: 'TOTAL' }
}

/** `{ "B": "AA==" }` and `{ "BS": [...] }` are attribute values; an attribute that is called B has an object. */
function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'B' && typeof member === 'string') return [name, bytesOf(member)]
      if (name === 'BS' && Array.isArray(member) && member.every((each) => typeof each === 'string')) {
        return [name, member.map(bytesOf)]
      }
      return [name, withBytes(member)]
    }),
  )
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
