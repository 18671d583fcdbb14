import { MAX_NESTING_DEPTH } from '@isotherm/semantics'

/** The `marshallOptions` of a document client that decide which values it takes, and what it stores for them. */
export interface ClientMarshalling {
  readonly removeUndefinedValues?: boolean
  readonly convertEmptyValues?: boolean
  readonly convertClassInstanceToMap?: boolean
}

/** The options that the application gave to its document client. */
export function clientMarshalling(db: object): ClientMarshalling {
  const { translateConfig } = Object(Object(db).config)
  return Object(translateConfig).marshallOptions ?? {}
}

/** A value as the document client would take it, for a conversion without these options. */
export function marshalledAs(options: ClientMarshalling, value: unknown, level = 0): unknown {
  // The conversion rejects a value with more levels, and one that contains itself.
  if (level > MAX_NESTING_DEPTH) return value
  const isKept = (member: unknown) => member !== undefined || !options.removeUndefinedValues
  const membersOf = (all: Iterable<unknown>) => Array.from(all).filter(isKept)
  if (value instanceof Set) {
    const members = membersOf(value)
    return options.convertEmptyValues && members.length === 0 ? null : new Set(members)
  }
  if (options.convertEmptyValues && isEmpty(value)) return null
  if (Array.isArray(value)) return membersOf(value).map((member) => marshalledAs(options, member, level + 1))
  if (!isMap(value, options)) return value
  const members = Object.entries(value).filter(([, member]) => isKept(member))
  return Object.fromEntries(members.map(([name, member]) => [name, marshalledAs(options, member, level + 1)]))
}

function isEmpty(value: unknown): boolean {
  return value === '' || (value instanceof Uint8Array && value.length === 0)
}

/** A class of the language, such as `Date`, or the SDK's class for numbers is rejected later: its properties are not its value. */
function isMap(value: unknown, { convertClassInstanceToMap }: ClientMarshalling): value is object {
  if (Object.prototype.toString.call(value) !== '[object Object]') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return true
  return convertClassInstanceToMap === true && !('toAttributeValue' in Object(value))
}
