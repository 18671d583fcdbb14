import { cannotConvert, isJsonObject, ServiceError, unexpectedKind } from '@isotherm/local/service'
import { NormalizedSchema } from '@smithy/core/schema'

/** Converts a JSON value to the SDK's form. @throws ServiceError in the service's words */
export type InputDecoder = (value: unknown) => unknown

type Kind = 'String' | 'Boolean' | 'Integer'

/** One decoder for each shape. An attribute value contains attribute values. */
const decoders = new Map<unknown, InputDecoder>()

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * The decoder of an operation's input, from the SDK's own schema of it: types are checked, and binary values become bytes.
 * Lengths, names and expressions are left to the library and to the service.
 *
 * A member that the schema lacks is rejected. The SDK would leave it out, and a condition that is not sent is worse than an
 * error.
 */
export function inputDecoder(schema: unknown): InputDecoder {
  return decoderOf(NormalizedSchema.of(schema as Parameters<typeof NormalizedSchema.of>[0]))
}

function decoderOf(schema: NormalizedSchema): InputDecoder {
  const known = schema.getSchema()
  const existing = typeof known === 'object' ? decoders.get(known) : undefined
  if (existing !== undefined) return existing
  let decode: InputDecoder | undefined
  const made: InputDecoder = (value) => {
    decode ??= build(schema)
    return decode(value)
  }
  if (typeof known === 'object') decoders.set(known, made)
  return made
}

function build(schema: NormalizedSchema): InputDecoder {
  if (schema.isUnionSchema()) return unionDecoder(membersOf(schema))
  if (schema.isStructSchema()) return structureDecoder(schema.getName() ?? 'request', membersOf(schema))
  if (schema.isListSchema()) return listDecoder(decoderOf(schema.getValueSchema()))
  if (schema.isMapSchema()) return mapDecoder(decoderOf(schema.getValueSchema()))
  if (schema.isBlobSchema()) return bytes
  if (schema.isStringSchema()) return scalar('String', (value) => typeof value === 'string')
  if (schema.isBooleanSchema()) return scalar('Boolean', (value) => typeof value === 'boolean')
  if (schema.isNumericSchema()) return scalar('Integer', (value) => typeof value === 'number')
  return (value) => value
}

function membersOf(schema: NormalizedSchema): ReadonlyMap<string, InputDecoder> {
  return new Map(Array.from(schema.structIterator(), ([name, member]) => [name, decoderOf(member)]))
}

function structureDecoder(shape: string, members: ReadonlyMap<string, InputDecoder>): InputDecoder {
  return (value) => {
    if (!isJsonObject(value)) throw unexpectedKind(value)
    const decoded: Record<string, unknown> = {}
    for (const name in value) {
      const member = value[name]
      if (member === undefined || member === null) continue
      const decode = members.get(name)
      if (decode === undefined) throw unknownMember(shape, name)
      decoded[name] = decode(member)
    }
    return decoded
  }
}

/** An attribute value. Several types at once would lose all but one of them. */
function unionDecoder(members: ReadonlyMap<string, InputDecoder>): InputDecoder {
  return (value) => {
    if (!isJsonObject(value)) throw unexpectedKind(value)
    const decoded: Record<string, unknown> = {}
    let types = 0
    for (const name in value) {
      const decode = members.get(name)
      const member = value[name]
      if (decode === undefined || member === undefined || member === null) continue
      decoded[name] = decode(member)
      types++
    }
    if (types === 1) return decoded
    const what = types === 0 ? 'is empty,' : 'has more than one datatypes set,'
    throw new ServiceError(
      'ValidationException',
      `Supplied AttributeValue ${what} must contain exactly one of the supported datatypes`,
    )
  }
}

function listDecoder(decode: InputDecoder): InputDecoder {
  return (value) => {
    if (!Array.isArray(value)) throw unexpectedKind(value)
    return value.map((member: unknown) => decode(member))
  }
}

function mapDecoder(decode: InputDecoder): InputDecoder {
  return (value) => {
    if (!isJsonObject(value)) throw unexpectedKind(value)
    const decoded: Record<string, unknown> = {}
    for (const name in value) {
      if (name === '__proto__') throw lostAttribute()
      decoded[name] = decode(value[name])
    }
    return decoded
  }
}

function scalar(kind: Kind, isOne: (value: unknown) => boolean): InputDecoder {
  return (value) => {
    if (isOne(value)) return value
    throw cannotConvert(value, kind)
  }
}

function bytes(value: unknown): Uint8Array {
  if (typeof value !== 'string') throw cannotConvert(value, 'String')
  if (value.length % 4 !== 0 || !BASE64.test(value)) {
    throw new ServiceError('SerializationException', 'Invalid Base64 string')
  }
  const decoded = Buffer.from(value, 'base64')
  return new Uint8Array(decoded.buffer, decoded.byteOffset, decoded.byteLength)
}

/** The SDK sets the prototype of the item instead, and sends the item without the attribute. */
function lostAttribute(): ServiceError {
  const message =
    'isotherm: An attribute is named __proto__, which the SDK of the proxy cannot send. Give it another name.'
  return new ServiceError('ValidationException', message)
}

function unknownMember(shape: string, name: string): ServiceError {
  const message = `isotherm: The parameter ${name} of ${shape} is not known to this version of the proxy, so it cannot be used on a sharded table. Leave it out, or update the proxy.`
  return new ServiceError('ValidationException', message)
}
