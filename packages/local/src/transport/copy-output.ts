/**
 * Copies an output of the engine for a caller, who may modify the copy. The engine's own objects are never returned.
 * Times become dates, as in the SDK's decoder.
 */
export function copyOutput(output: object): { [member: string]: unknown } {
  const source = output as { readonly [member: string]: unknown }
  const copy: { [member: string]: unknown } = {}
  // Every response in this process is copied here. `for in` does not allocate a list of names.
  for (const member in source) {
    const value = source[member]
    const copied = isTime(member, value) ? new Date(value * 1000) : copyValue(value)
    if (member === '__proto__') Object.defineProperty(copy, member, { value: copied, enumerable: true })
    else copy[member] = copied
  }
  return copy
}

function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyValue)
  // Most copied values are texts and numbers of items, which have no other member.
  const { S, N } = value as { readonly S?: unknown; readonly N?: unknown }
  if (typeof S === 'string') return { S }
  if (typeof N === 'string') return { N }
  return value instanceof Uint8Array ? new Uint8Array(value) : copyOutput(value)
}

/** Attribute values never contain plain numbers, so this is a member of a description. */
function isTime(member: string, value: unknown): value is number {
  return typeof value === 'number' && member.endsWith('Time')
}
