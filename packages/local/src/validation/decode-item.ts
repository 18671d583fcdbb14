import {
  ATTRIBUTE_TYPES,
  type AttributeValue,
  compareBytes,
  defineAttribute,
  type Item,
  MAX_CONTAINER_DEPTH,
  MAX_ITEM_BYTES,
  NO_DATATYPE_TEXT,
  orderedBinaries,
  orderedNumbers,
  orderedStrings,
  SEVERAL_DATATYPES_TEXT,
} from '@isotherm/semantics'
import { RefusedAtOnce } from '../errors/refused-at-once.js'
import {
  invalidParameters,
  ServiceError,
  serializationException,
  validationException,
} from '../errors/service-error.js'
import { cannotConvert, isJsonObject, unexpectedKind } from '../json/json-kind.js'
import { WireBytes } from '../json/wire-bytes.js'
import { checkAttributeName } from './attribute-name.js'
import { tooNested } from './nesting.js'
import { VALUE_LAYER, type ValueLayer } from './value-layer.js'

/**
 * Decoded items, by the objects of requests that they were decoded from. A symbol as a member of these objects would be looked
 * up in objects of many shapes, and nearly none has it. That took 3 % of the processor time of a transaction.
 */
const decodedAhead = new WeakMap<object, Decoded>()

/** The same for the values of placeholders. */
const placeholdersAhead = new WeakMap<object, Decoded>()

interface Decoded {
  readonly item: Item
  readonly layer: ValueLayer
}

const TYPES: ReadonlySet<string> = new Set(ATTRIBUTE_TYPES)

/**
 * Decodes an item of a request to the engine's form: copied and checked, with canonical numbers, ordered sets and
 * binary values as bytes. Binary values may be base64 (from HTTP) or bytes (from a client in this process).
 * @throws ServiceError
 */
export function decodeItem(input: unknown, layer: ValueLayer = VALUE_LAYER): Item {
  if (!isJsonObject(input)) throw unexpectedKind(input)
  const ahead = decodedAhead.get(input)
  if (ahead !== undefined) {
    // The caller may change the item, so nobody else gets it.
    decodedAhead.delete(input)
    if (ahead.layer === layer) return ahead.item
  }
  // Listing the names of a large object is slow, so they are listed once.
  const names = Object.keys(input)
  checkCount(names.length, MIN_ATTRIBUTE_BYTES)
  for (const name of names) checkAttributeName(name)
  try {
    const item: Item = {}
    for (const name of names) defineAttribute(item, name, decodedValue(input[name], 0, layer))
    return item
  } catch (error) {
    // Values that are too deep are reported before a bad name inside of one of them.
    if (error instanceof BadInnerName) throw isTooDeep(input, 0) ? tooNested() : error.refusal
    throw error
  }
}

/**
 * Decodes an item before the operation of its request begins, which then gets it from `decodeItem`. So the items of a large
 * request can be decoded in different turns of the event loop. Errors are left to the operation.
 */
export function decodeAhead(input: unknown, layer: ValueLayer = VALUE_LAYER): Item | undefined {
  return keptAhead(decodedAhead, input, layer, decodeItem)
}

function keptAhead(
  decoded: WeakMap<object, Decoded>,
  input: unknown,
  layer: ValueLayer,
  decode: (input: unknown, layer: ValueLayer) => Item,
): Item | undefined {
  if (!isJsonObject(input)) return undefined
  try {
    const item = decode(input, layer)
    decoded.set(input, { item, layer })
    return item
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return undefined
  }
}

/** A key has two attributes, and with the key of an index at most ten. */
const MAX_ATTRIBUTES_OF_A_KEY = 100

/**
 * Decodes a key. One with too many attributes fits no table, whichever they are, so only the first ones are decoded.
 * @throws ServiceError
 */
export function decodeGivenKey(input: unknown, layer: ValueLayer = VALUE_LAYER): Item {
  if (!isJsonObject(input)) throw unexpectedKind(input)
  const names = Object.keys(input)
  if (names.length <= MAX_ATTRIBUTES_OF_A_KEY) return decodeItem(input, layer)
  return decodeItem(
    Object.fromEntries(names.slice(0, MAX_ATTRIBUTES_OF_A_KEY).map((name) => [name, input[name]])),
    layer,
  )
}

/**
 * Decodes the values of a request's placeholders, whose names are not attribute names.
 * @throws ServiceError
 */
export function decodePlaceholders(input: unknown, layer: ValueLayer): Item {
  if (!isJsonObject(input)) throw unexpectedKind(input)
  const ahead = placeholdersAhead.get(input)
  if (ahead !== undefined) {
    placeholdersAhead.delete(input)
    if (ahead.layer === layer) return ahead.item
  }
  const values: Item = {}
  for (const name in input) {
    try {
      defineAttribute(values, name, decodeValue(input[name], layer))
    } catch (error) {
      const isInvalid = error instanceof ServiceError && error.name === 'ValidationException'
      if (!layer.namesPlaceholders || !isInvalid) throw error
      throw validationException(
        `ExpressionAttributeValues contains invalid value: ${error.message} for key ${name}`,
      )
    }
  }
  return values
}

/** Decodes the values of placeholders before the operation of their request begins, as {@link decodeAhead} does an item. */
export function decodePlaceholdersAhead(input: unknown, layer: ValueLayer = VALUE_LAYER): Item | undefined {
  return keptAhead(placeholdersAhead, input, layer, decodePlaceholders)
}

/** Decodes a list of values. @throws ServiceError */
export function decodeValues(input: unknown): AttributeValue[] {
  return eachOf(input, (value) => decodeValue(value))
}

/** Decodes one value of an item. @throws ServiceError */
export function decodeValue(input: unknown, layer: ValueLayer = VALUE_LAYER): AttributeValue {
  try {
    return decodedValue(input, 0, layer)
  } catch (error) {
    throw error instanceof BadInnerName ? error.refusal : error
  }
}

function decodedValue(input: unknown, depth: number, layer: ValueLayer): AttributeValue {
  if (!isJsonObject(input)) throw unexpectedKind(input)
  let type: string | undefined
  let given: unknown
  for (const member in input) {
    const value = input[member]
    // Members that are not types are ignored, like every member that is not in a request's shape.
    if (value === undefined || value === null || !TYPES.has(member)) continue
    if (type !== undefined) {
      throw validationException(SEVERAL_DATATYPES_TEXT)
    }
    type = member
    given = value
  }
  switch (type) {
    case 'S':
      return { S: textOf(given) }
    case 'N':
      return { N: layer.number(textOf(given)) }
    case 'B':
      return { B: bytesOf(given) }
    case 'BOOL':
      if (typeof given !== 'boolean') throw cannotConvert(given, 'Boolean')
      return { BOOL: given }
    case 'NULL':
      if (typeof given !== 'boolean') throw cannotConvert(given, 'Boolean')
      if (!given) throw invalidParameters('Null attribute value types must have the value of true')
      return { NULL: true }
    case 'L': {
      const inner = deeper(depth)
      return { L: eachOf(given, (element) => decodedValue(element, inner, layer)) }
    }
    case 'M':
      return { M: decodeMap(given, deeper(depth), layer) }
    case 'SS':
      return {
        SS: setOf(
          eachOf(given, textOf),
          'An string set  may not be empty',
          layer.duplicateTexts,
          orderedStrings,
        ),
      }
    case 'NS':
      return {
        NS: setOf(
          eachOf(given, (member) => layer.number(textOf(member))),
          'An number set  may not be empty',
          layer.duplicateNumbers,
          orderedNumbers,
        ),
      }
    case 'BS':
      return { BS: binarySetOf(eachOf(given, bytesOf), layer) }
    default:
      throw validationException(NO_DATATYPE_TEXT)
  }
}

function decodeMap(input: unknown, depth: number, layer: ValueLayer): Item {
  if (!isJsonObject(input)) throw unexpectedKind(input)
  const map: Item = {}
  for (const name in input) {
    checkInnerName(name)
    defineAttribute(map, name, decodedValue(input[name], depth, layer))
  }
  return map
}

/** A name inside of a map that no attribute can have. */
class BadInnerName {
  readonly refusal: unknown

  constructor(refusal: unknown) {
    this.refusal = refusal
  }
}

function checkInnerName(name: string): void {
  try {
    checkAttributeName(name)
  } catch (refusal) {
    throw new BadInnerName(refusal)
  }
}

function deeper(depth: number): number {
  if (depth < MAX_CONTAINER_DEPTH) return depth + 1
  throw tooNested()
}

/** Whether a value is deeper than the limit, whatever else is wrong with it. */
function isTooDeep(input: unknown, depth: number): boolean {
  if (!isJsonObject(input)) return false
  return Object.values(input).some((value) => {
    if (!isJsonObject(value)) return false
    const { L: list, M: map } = value
    const members = Array.isArray(list) ? { ...list } : map
    if (!isJsonObject(members)) return false
    return depth === MAX_CONTAINER_DEPTH || isTooDeep(members, depth + 1)
  })
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw cannotConvert(value, 'String')
  return value
}

function bytesOf(value: unknown): WireBytes {
  // A copy, because the sender may write into its bytes later.
  if (value instanceof Uint8Array) return new WireBytes(value)
  const bytes = WireBytes.fromBase64(textOf(value))
  if (bytes === undefined) throw serializationException('Invalid Base64 string')
  return bytes
}

/** A name and a value. */
const MIN_ATTRIBUTE_BYTES = 2
/** A member of a set. One member of a set can be empty. */
const MIN_MEMBER_BYTES = 1

/**
 * Refuses a value that has so many members that no item can hold it, before they are decoded. A request of 16 MB can
 * have millions of them.
 */
function checkCount(count: number, minBytes: number): void {
  if (count * minBytes > MAX_ITEM_BYTES + 1) {
    throw new RefusedAtOnce('Item size has exceeded the maximum allowed size')
  }
}

/** A loop instead of `map`, which would keep the holes of a sparse array. */
function eachOf<T>(value: unknown, decode: (member: unknown) => T): T[] {
  if (!Array.isArray(value)) throw unexpectedKind(value)
  checkCount(value.length, MIN_MEMBER_BYTES)
  const members: T[] = []
  for (const member of value) members.push(decode(member))
  return members
}

function setOf(
  members: string[],
  empty: string,
  duplicates: (members: string[]) => ServiceError,
  inOrder: (members: string[]) => string[],
): string[] {
  if (members.length === 0) throw invalidParameters(empty)
  if (new Set(members).size !== members.length) throw duplicates(members)
  return inOrder(members)
}

function binarySetOf(members: WireBytes[], layer: ValueLayer): Uint8Array[] {
  if (members.length === 0) throw invalidParameters('Binary sets should not be empty')
  const sorted = orderedBinaries([...members])
  sorted.reduce((before, member) => {
    if (compareBytes(before, member) === 0) throw layer.duplicateBytes(members)
    return member
  })
  return sorted
}
