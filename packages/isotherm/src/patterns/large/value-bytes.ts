import type { AttributeValue } from '@isotherm/semantics'

/** How an attribute's value is written as bytes: text, binary, or anything else as JSON. */
export type ContentType = 'S' | 'B' | 'J'

export interface ValueBytes {
  readonly type: ContentType
  readonly bytes: Uint8Array
}

/** The only member of an object that stands for binary in JSON: no type of DynamoDB has such a name. */
const BASE64 = 'base64'

export function toBytes(value: AttributeValue): ValueBytes {
  // Half of a surrogate pair has no form in UTF-8, and JSON has an escape for it.
  if ('S' in value && !/\p{Cs}/u.test(value.S)) return { type: 'S', bytes: Buffer.from(value.S, 'utf8') }
  if ('B' in value) return { type: 'B', bytes: value.B }
  // `Buffer` has a `toJSON`, which would come before the replacer, so the replacer asks for the member itself.
  const json = JSON.stringify(value, function (this: Record<string, unknown>, name, member: unknown) {
    const own = this[name]
    return own instanceof Uint8Array ? { [BASE64]: Buffer.from(own).toString('base64') } : member
  })
  return { type: 'J', bytes: Buffer.from(json, 'utf8') }
}

/** @throws SyntaxError or TypeError for bytes that `toBytes` did not make */
export function fromBytes({ type, bytes }: ValueBytes): AttributeValue {
  // A plain array, as the SDK returns it: a Buffer behaves otherwise in comparisons and in JSON.
  if (type === 'B') return { B: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) }
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  if (type === 'S') return { S: text }
  return JSON.parse(text, (_name, member: unknown) => {
    const encoded = isEncoded(member) ? member[BASE64] : undefined
    return encoded === undefined ? member : new Uint8Array(Buffer.from(encoded, 'base64'))
  }) as AttributeValue
}

function isEncoded(member: unknown): member is { readonly [BASE64]: string } {
  if (typeof member !== 'object' || member === null || !(BASE64 in member)) return false
  return Object.keys(member).length === 1 && typeof member[BASE64] === 'string'
}
