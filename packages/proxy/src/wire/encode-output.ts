/** The JSON of an output of the SDK: without its metadata, and with bytes in base64. */
export function encodeOutput(output: object): string {
  const { $metadata: _, ...members } = output as Record<string, unknown>
  return encodeValues(members)
}

/** Found in the JSON of every value with bytes, and rarely in that of others. */
export const BYTES_MEMBER = /"BS?":/

/** The JSON of an input or an output. Only members B and BS have bytes, so without them nothing is searched for bytes. */
export function encodeValues(value: object): string {
  const text = JSON.stringify(value)
  return BYTES_MEMBER.test(text) ? JSON.stringify(withoutBytes(value)) : text
}

/** The value with bytes in base64. What has none is not copied. */
function withoutBytes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  }
  let copy: Record<string, unknown> | unknown[] | undefined
  const members = value as Record<string, unknown>
  for (const name in members) {
    const member = members[name]
    const encoded = withoutBytes(member)
    if (encoded === member) continue
    copy ??= Array.isArray(value) ? [...value] : { ...members }
    ;(copy as Record<string, unknown>)[name] = encoded
  }
  return copy ?? value
}
