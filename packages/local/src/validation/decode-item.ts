import {
  ATTRIBUTE_TYPES,
  type AttributeValue,
  canonicalNumber,
  defineAttribute,
  type Item,
  MAX_NESTING_DEPTH,
  NO_DATATYPE_TEXT,
  SEVERAL_DATATYPES_TEXT,
  TOO_NESTED_TEXT,
  ValidationError,
} from '@isotherm/semantics'
import {
  invalidParameters,
  ServiceError,
  serializationException,
  validationException,
} from '../errors/service-error.js'
import { cannotConvert, isJsonObject, unexpectedKind } from '../json/json-kind.js'
import { WireBytes } from '../json/wire-bytes.js'
import { checkAttributeName } from './attribute-name.js'
import { duplicateBytes, duplicateNumbers, duplicateTexts } from './duplicate-members.js'

const TYPES: ReadonlySet<string> = new Set(ATTRIBUTE_TYPES)
/**
 * Decodes an item of a request to the engine's form: copied and checked, with canonical numbers and binary values as
 * bytes. Binary values may be base64 (from HTTP) or bytes (from a client in this process).
 * @throws ServiceError
 */
export function decodeItem(input: unknown): Item {
  return decodeMap(input, 0)
}

/**
 * Decodes the values of a request's placeholders, whose names are not attribute names.
 * @param namesThem whether errors name the placeholder.
 * @throws ServiceError
 */
export function decodePlaceholders(input: unknown, namesThem: boolean): Item {
  if (!isJsonObject(input)) throw unexpectedKind(input)
  const values: Item = {}
  for (const name in input) {
    try {
      defineAttribute(values, name, decodeValue(input[name]))
    } catch (error) {
      if (!namesThem || !(error instanceof ServiceError) || error.name !== 'ValidationException') throw error
      throw validationException(
        `ExpressionAttributeValues contains invalid value: ${error.message} for key ${name}`,
      )
    }
  }
  return values
}

/** Decodes a list of values. @throws ServiceError */
export function decodeValues(input: unknown): AttributeValue[] {
  return eachOf(input, (value) => decodeValue(value))
}

/** Decodes one value of an item. @throws ServiceError */
export function decodeValue(input: unknown, depth = 0): AttributeValue {
  if (!isJsonObject(input)) throw unexpectedKind(input)
  let type: string | undefined
  for (const member in input) {
    // Members that are not types are ignored, like every member that is not in a request's shape.
    if (input[member] === undefined || input[member] === null || !TYPES.has(member)) continue
    if (type !== undefined) {
      throw validationException(SEVERAL_DATATYPES_TEXT)
    }
    type = member
  }
  switch (type) {
    case 'S':
      return { S: textOf(input.S) }
    case 'N':
      return { N: numberOf(input.N) }
    case 'B':
      return { B: bytesOf(input.B) }
    case 'BOOL':
      if (typeof input.BOOL !== 'boolean') throw cannotConvert(input.BOOL, 'Boolean')
      return { BOOL: input.BOOL }
    case 'NULL':
      if (typeof input.NULL !== 'boolean') throw cannotConvert(input.NULL, 'Boolean')
      if (!input.NULL) throw invalidParameters('Null attribute value types must have the value of true')
      return { NULL: true }
    case 'L': {
      const inner = deeper(depth)
      return { L: eachOf(input.L, (element) => decodeValue(element, inner)) }
    }
    case 'M':
      return { M: decodeMap(input.M, deeper(depth)) }
    case 'SS':
      return { SS: setOf(eachOf(input.SS, textOf), 'An string set  may not be empty', duplicateTexts) }
    case 'NS':
      return { NS: setOf(eachOf(input.NS, numberOf), 'An number set  may not be empty', duplicateNumbers) }
    case 'BS':
      return { BS: binarySetOf(eachOf(input.BS, bytesOf)) }
    default:
      throw validationException(NO_DATATYPE_TEXT)
  }
}

function decodeMap(input: unknown, depth: number): Item {
  if (!isJsonObject(input)) throw unexpectedKind(input)
  const map: Item = {}
  for (const name in input) {
    checkAttributeName(name)
    defineAttribute(map, name, decodeValue(input[name], depth))
  }
  return map
}

function deeper(depth: number): number {
  if (depth < MAX_NESTING_DEPTH) return depth + 1
  throw validationException(
    `${TOO_NESTED_TEXT}: Attributes in the item have nested levels beyond supported limit`,
  )
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw cannotConvert(value, 'String')
  return value
}

function numberOf(value: unknown): string {
  try {
    return canonicalNumber(textOf(value))
  } catch (error) {
    throw error instanceof ValidationError ? validationException(error.message) : error
  }
}

function bytesOf(value: unknown): WireBytes {
  // A copy, because the sender may write into its bytes later.
  if (value instanceof Uint8Array) return new WireBytes(value)
  const bytes = WireBytes.fromBase64(textOf(value))
  if (bytes === undefined) throw serializationException('Invalid Base64 string')
  return bytes
}

/** A loop instead of `map`, which would keep the holes of a sparse array. */
function eachOf<T>(value: unknown, decode: (member: unknown) => T): T[] {
  if (!Array.isArray(value)) throw unexpectedKind(value)
  const members: T[] = []
  for (const member of value) members.push(decode(member))
  return members
}

function setOf(members: string[], empty: string, duplicates: (members: string[]) => ServiceError): string[] {
  if (members.length === 0) throw invalidParameters(empty)
  if (new Set(members).size !== members.length) throw duplicates(members)
  return members
}

function binarySetOf(members: WireBytes[]): Uint8Array[] {
  if (members.length === 0) throw invalidParameters('Binary sets should not be empty')
  const texts = members.map((member) => member.toJSON())
  if (new Set(texts).size !== members.length) throw duplicateBytes(members)
  return members
}
