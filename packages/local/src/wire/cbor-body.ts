import { decode, encode, Token, Type } from 'cborg'
import { EpochTime } from '../cloudwatch/epoch-time.js'
import { serializationException } from '../errors/service-error.js'

/** The tag of a time in seconds since the epoch: https://www.rfc-editor.org/rfc/rfc8949#section-3.4.2 */
const EPOCH_TIME = 1

/** All other numbers in CloudWatch's answers are of the type double. */
const LONG_MEMBERS: ReadonlySet<string> = new Set(['ApproximateUniqueCount'])

/**
 * A request's body as CBOR; times come as seconds since the epoch. No body at all is a structure without members.
 *
 * Read by cborg: made for bytes from strangers, strict, small and without native parts. What the SDK has of its own is
 * made for its schemas, which this endpoint does without.
 *
 * @throws ServiceError SerializationException for anything that is not CBOR, or has text in pieces.
 */
export function parseCborBody(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    return decode(body, { tags: { [EPOCH_TIME]: (content) => content() } })
  } catch {
    // Among them a nesting so deep that the decoder's stack ends, which is refused as JSON of that kind is.
    throw serializationException('')
  }
}

/**
 * An answer as CBOR. Numbers are written as the types of the model have them, because not every client takes an integer
 * where a double belongs.
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

/** Only the members at the top have that type, so nothing needs to be walked through. */
function withLongs(output: object): object {
  return Object.fromEntries(
    Object.entries(output).map(([name, value]) => [
      name,
      LONG_MEMBERS.has(name) && typeof value === 'number' ? BigInt(value) : value,
    ]),
  )
}
