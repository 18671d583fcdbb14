import { BYTES_MEMBER } from './encode-output.js'

/**
 * The output of an item operation in the SDK's form. It is the JSON of the service, except for binary values, which are
 * base64 there.
 */
export function outputOf(text: string): Record<string, unknown> {
  const output: unknown = text === '' ? {} : JSON.parse(text)
  if (typeof output !== 'object' || output === null)
    throw new SyntaxError('The response of the upstream is no object.')
  if (BYTES_MEMBER.test(text)) reviveBytes(output as Record<string, unknown>)
  return output as Record<string, unknown>
}

/**
 * Replaces base64 by bytes, in place. Only an attribute value has a text in its member `B`, or texts in `BS`: the members of
 * a map of attributes or tables are objects and lists of objects.
 */
function reviveBytes(value: Record<string, unknown>): void {
  for (const name of Object.keys(value)) {
    const member = value[name]
    if (name === 'B' && typeof member === 'string') value[name] = bytesOf(member)
    else if (name === 'BS' && isTexts(member)) value[name] = member.map(bytesOf)
    else if (typeof member === 'object' && member !== null) reviveBytes(member as Record<string, unknown>)
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
}

function bytesOf(base64: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(base64, 'base64')
  return new Uint8Array(buffer, byteOffset, byteLength)
}
