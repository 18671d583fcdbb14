import { atLeastText, atMostText } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import { cannotConvert, isJsonObject, unexpectedKind } from '../json/json-kind.js'
import { isArn, tableArnViolation } from '../table/table-arn.js'
import type { Range, Shape, StringShape, StructureShape, Violation } from './shape.js'

/**
 * Checks a request against its shape.
 * @throws ServiceError with the service's text: SerializationException for a wrong type, or ValidationException that
 * lists and counts all other violations.
 */
export function checkShape(shape: StructureShape, input: unknown): asserts input is Record<string, unknown> {
  checkTypes(shape, input)
  const broken: Violation[] = []
  const request = input as Record<string, unknown>
  collectBrokenMembers(shape, request, undefined, broken)
  if (broken.length === 0) return
  const arranged = shape.arranged?.(broken, request) ?? broken.map(({ text }) => text)
  if (typeof arranged === 'string') throw validationException(arranged)
  const count = `${arranged.length} validation error${arranged.length === 1 ? '' : 's'} detected`
  throw validationException(`${count}: ${arranged.join('; ')}`)
}

function checkTypes(shape: Shape, value: unknown): void {
  switch (shape.type) {
    case 'attribute-value':
      return
    case 'string':
      if (typeof value !== 'string') throw cannotConvert(value, 'String')
      return
    case 'boolean':
      if (typeof value !== 'boolean') throw cannotConvert(value, 'Boolean')
      return
    case 'integer':
      if (!Number.isInteger(value)) throw cannotConvert(value, 'Integer')
      return
    case 'list':
      if (!Array.isArray(value)) throw unexpectedKind(value)
      for (const member of lookedAt(shape, value)) checkTypes(shape.of, member)
      return
    case 'map':
      if (!isJsonObject(value)) throw unexpectedKind(value)
      for (const name in value) checkTypes(shape.of, value[name])
      return
    case 'structure':
      if (!isJsonObject(value)) throw unexpectedKind(value)
      for (const name in value) {
        const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined
        const inner = value[name]
        if (member !== undefined && inner !== undefined && inner !== null) checkTypes(member, inner)
        else if (inner !== undefined && inner !== null && shape.unsupported?.includes(name)) {
          throw validationException(
            `The parameter ${name} is not supported by this engine yet; nothing was done. Leave it out, or use Amazon DynamoDB for requests that need it.`,
          )
        }
      }
  }
}

/** The path of a value in a request. It is printed only for violations, which are rare. */
interface Place {
  readonly parent: Place | undefined
  /** Whether the value is a member of a structure or of a collection. */
  readonly of: 'structure' | 'collection'
  readonly member: string
}

function collectBroken(shape: Shape, value: unknown, place: Place, broken: Violation[]): void {
  switch (shape.type) {
    case 'structure':
      collectBrokenMembers(shape, value as Record<string, unknown>, place, broken)
      return
    case 'list':
      checkList(shape, value as readonly unknown[], place, broken)
      if (shape.of.type === 'attribute-value') return
      for (const [index, member] of lookedAt(shape, value as readonly unknown[]).entries()) {
        collectBroken(shape.of, member, { parent: place, of: 'collection', member: `${index + 1}` }, broken)
      }
      return
    case 'map': {
      const names = Object.keys(value as object)
      checkRange(shape, shape.length, names.length, value, place, broken)
      checkKeys(shape, names, value as object, place, broken)
      if (shape.of.type === 'attribute-value') return
      for (const name of names) {
        const member = (value as Record<string, unknown>)[name]
        collectBroken(shape.of, member, { parent: place, of: 'collection', member: name }, broken)
      }
      return
    }
    case 'string': {
      const text = value as string
      for (const constraint of brokenBy(shape, text)) broken.push(violation(shape, text, place, constraint))
      return
    }
    case 'integer':
      checkRange(shape, shape.value, value as number, value, place, broken)
  }
}

/**
 * The members of a list that are checked. A list that is too long is refused whatever is in it, and it may have a million
 * members. So none is looked at behind the longest valid list.
 */
export function lookedAt(
  { length }: Extract<Shape, { type: 'list' }>,
  list: readonly unknown[],
): readonly unknown[] {
  return length?.max === undefined || list.length <= length.max ? list : list.slice(0, length.max)
}

const NOTHING_BROKEN: readonly string[] = []

/** The constraints that a text violates, in the service's words. */
function brokenBy({ oneOf, length, pattern, orTableArn }: StringShape, text: string): readonly string[] {
  if (orTableArn && isArn(text)) {
    const constraint = tableArnViolation(text)
    return constraint === undefined ? NOTHING_BROKEN : [constraint]
  }
  const isNone = oneOf !== undefined && !oneOf.includes(text)
  const outside = rangeViolation(length, text.length, 'length')
  const isOdd = pattern !== undefined && !pattern.test(text)
  if (!isNone && outside === undefined && !isOdd) return NOTHING_BROKEN
  return [
    ...(isNone ? [`Member must satisfy enum value set: [${oneOf.join(', ')}]`] : []),
    ...(outside === undefined ? [] : [outside]),
    ...(isOdd ? [patternConstraint(pattern)] : []),
  ]
}

export function isConstraintKept(shape: StringShape, text: string): boolean {
  return brokenBy(shape, text).length === 0
}

function checkList(
  shape: Extract<Shape, { type: 'list' }>,
  list: readonly unknown[],
  place: Place,
  broken: Violation[],
): void {
  if (isInRange(shape.length, list.length)) return
  checkRange(shape, shape.length, list.length, shape.printed?.(list) ?? list, place, broken)
}

/** For keys, the service lists all constraints as soon as one is violated. */
function checkKeys(
  shape: Extract<Shape, { type: 'map' }>,
  names: readonly string[],
  map: object,
  place: Place,
  broken: Violation[],
): void {
  const { keys, printed } = shape
  if (keys === undefined || names.every((key) => isConstraintKept(keys, key))) return
  const { length, pattern } = keys
  const constraints = [
    ...(length?.max === undefined ? [] : [atMostText('length', length.max)]),
    ...(length?.min === undefined ? [] : [atLeastText('length', length.min)]),
    ...(pattern === undefined ? [] : [patternConstraint(pattern)]),
  ]
  const constraint = `Map keys must satisfy constraint: [${constraints.join(', ')}]`
  broken.push(violation(shape, printed?.(map) ?? map, place, constraint))
}

function patternConstraint(pattern: RegExp): string {
  return `Member must satisfy regular expression pattern: ${pattern.source.slice(1, -1)}`
}

function collectBrokenMembers(
  shape: StructureShape,
  value: Record<string, unknown>,
  parent: Place | undefined,
  broken: Violation[],
): void {
  for (const name in shape.members) {
    const member = shape.members[name]
    if (member === undefined) continue
    const inner = value[name]
    if (inner === undefined || inner === null) {
      if (member.required) {
        const place: Place = { parent, of: 'structure', member: name }
        broken.push({
          member: topOf(place),
          isMissing: true,
          text: `Value null at '${pathOf(place)}' failed to satisfy constraint: Member must not be null`,
        })
      }
      continue
    }
    if (member.type !== 'boolean' && member.type !== 'attribute-value') {
      collectBroken(member, inner, { parent, of: 'structure', member: name }, broken)
    }
  }
}

function pathOf({ parent, of, member }: Place, isAsWritten = false): string {
  const first = isAsWritten ? member.charAt(0) : member.charAt(0).toLowerCase()
  const spelled = of === 'structure' ? first + member.slice(1) : `${member}.member`
  return parent === undefined ? spelled : `${pathOf(parent, isAsWritten)}.${spelled}`
}

function topOf({ parent, member }: Place): string {
  return parent === undefined ? member : topOf(parent)
}

function checkRange(
  shape: Extract<Shape, { type: 'integer' | 'list' | 'map' }>,
  range: Range | undefined,
  actual: number,
  value: unknown,
  place: Place,
  broken: Violation[],
): void {
  const constraint = rangeViolation(range, actual, shape.type === 'integer' ? 'value' : 'length')
  if (constraint !== undefined) broken.push(violation(shape, value, place, constraint))
}

export function isInRange(range: Range | undefined, actual: number): boolean {
  return range === undefined || (actual >= (range.min ?? actual) && actual <= (range.max ?? actual))
}

function rangeViolation(
  range: Range | undefined,
  actual: number,
  what: 'length' | 'value',
): string | undefined {
  if (range?.min !== undefined && actual < range.min) {
    return atLeastText(what, range.min)
  }
  if (range?.max !== undefined && actual > range.max) {
    return atMostText(what, range.max)
  }
  return undefined
}

function violation(
  shape: { readonly newWording?: true },
  value: unknown,
  place: Place,
  constraint: string,
): Violation {
  const isNew = shape.newWording === true
  const shown = Array.isArray(value) || isJsonObject(value) ? printCollection(value) : String(value)
  const path = pathOf(place, isNew)
  return {
    member: topOf(place),
    isMissing: false,
    text: `Value ${isNew ? '' : `'${shown}' `}at '${path}' failed to satisfy constraint: ${constraint}`,
  }
}

/** Collections are abbreviated, because an item can have 400 KB. */
function printCollection(value: object): string {
  return Array.isArray(value) ? `[${value.length === 0 ? '' : '...'}]` : `{${Object.keys(value).join(', ')}}`
}
