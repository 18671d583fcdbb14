import { decode, encode, Token, Type } from 'cborg'
import { EpochTime } from '../cloudwatch/epoch-time.js'
import { serializationException } from '../errors/service-error.js'

/** The tag of a time in seconds since the epoch: https://www.rfc-editor.org/rfc/rfc8949#section-3.4.2 */
const EPOCH_TIME = 1

/** All other numbers in CloudWatch's responses have the type double. */
const LONG_MEMBERS: ReadonlySet<string> = new Set(['ApproximateUniqueCount'])

/**
 * Parses a request's body as CBOR. Times become seconds since the epoch. An empty body is a structure without members.
 *
 * The decoder is cborg, which is made for untrusted input: strict, small and without native parts. The SDK's own
 * decoder requires its schemas, which this endpoint does not use.
 *
 * @throws ServiceError SerializationException for anything that is not CBOR, or contains text in pieces.
 */
export function parseCborBody(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    return decode(body, { tags: { [EPOCH_TIME]: (content) => content() } })
  } catch {
    // This includes nesting so deep that the decoder's stack overflows. JSON of that kind is rejected as well.
    throw serializationException('')
  }
}

/**
 * Prints a response as CBOR. Numbers have the types of the model, because some clients reject an integer in place of a
 * double.
 */
export function printCbor(output: object): Uint8Array {
  return encode(withLongs(output), {
    float64: true,
    ignoreUndefinedProperties: true,
    typeEncoders: {
      number: (value: number) => new Token(Type.float, value),
      Object: (value: object) =>
        value instanceof EpochTime
          ? [new Token(Type.tag, EPOCH_TIME), new Token(Type.float, value.toJSON())]
          : null,
    },
  })
}

/** Only top-level members have that type, so nested values need not be visited. */
function withLongs(output: object): object {
  return Object.fromEntries(
    Object.entries(output).map(([name, value]) => [
      name,
      LONG_MEMBERS.has(name) && typeof value === 'number' ? BigInt(value) : value,
    ]),
  )
}
