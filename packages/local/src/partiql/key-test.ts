import {
  attributeType,
  type BoundCondition,
  emptyKeyText,
  isEmptyKey,
  isKeyValue,
  type KeyValue,
  type SortCondition,
} from '@isotherm/semantics'
import { ServiceError, validationException } from '../errors/service-error.js'
import type { KeyAttribute } from '../table/table-definition.js'

/** A test of one key attribute that can narrow the range to read. */
export interface KeyTest {
  readonly name: string
  readonly test: SortCondition
}

const MIRRORED = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const

type Operand = (BoundCondition & { readonly kind: 'compare' })['left']

/**
 * The test of a key attribute in a condition. Returns `undefined` for other conditions, and for tests that cannot be
 * expressed as a range.
 * @throws ServiceError when the key attribute is compared with a value of the wrong type.
 */
export function keyTestOf(condition: BoundCondition, key: readonly KeyAttribute[]): KeyTest | undefined {
  const attributeOf = (operand: Operand) =>
    operand.kind === 'path' && operand.path.length === 1
      ? key.find(({ name }) => name === operand.path[0])
      : undefined
  switch (condition.kind) {
    case 'compare': {
      const { left, right, operator } = condition
      if (operator === '<>') return undefined
      const attribute = attributeOf(left)
      const value = attribute === undefined ? undefined : keyValueOf(attribute, right)
      if (attribute !== undefined && value !== undefined)
        return { name: attribute.name, test: { operator, value } }
      const other = attributeOf(right)
      const mirrored = other === undefined ? undefined : keyValueOf(other, left)
      if (other === undefined || mirrored === undefined) return undefined
      return { name: other.name, test: { operator: MIRRORED[operator], value: mirrored } }
    }
    case 'between': {
      const attribute = attributeOf(condition.operand)
      if (attribute === undefined || condition.to.kind !== 'value') return undefined
      const from = keyValueOf(attribute, condition.from)
      const to = keyValueOf(attribute, condition.to)
      if (from === undefined || to === undefined) return undefined
      return { name: attribute.name, test: { operator: 'between', from, to } }
    }
    case 'begins_with': {
      const attribute = attributeOf(condition.operand)
      const prefix = attribute === undefined ? undefined : keyValueOf(attribute, condition.part)
      if (attribute === undefined || prefix === undefined) return undefined
      return { name: attribute.name, test: { operator: 'begins_with', prefix } }
    }
    default:
      return undefined
  }
}

/** The values that `IN` allows for a key attribute, or `undefined` for other conditions. */
export function keyOptionsOf(
  condition: BoundCondition,
  key: readonly KeyAttribute[],
): { readonly name: string; readonly values: readonly KeyValue[] } | undefined {
  if (condition.kind !== 'in') return undefined
  const { operand, options } = condition
  if (operand.kind !== 'path' || operand.path.length > 1) return undefined
  const attribute = key.find(({ name }) => name === operand.path[0])
  if (attribute === undefined) return undefined
  const values = options.map((option) => keyValueOf(attribute, option))
  return values.every((value) => value !== undefined) ? { name: attribute.name, values } : undefined
}

/** A value to compare a key attribute with, or `undefined` when the operand is not a value. */
function keyValueOf({ name, type }: KeyAttribute, operand: Operand): KeyValue | undefined {
  if (operand.kind !== 'value') return undefined
  const { value } = operand
  if (!isKeyValue(value) || attributeType(value) !== type) {
    throw new WrongKeyType(name)
  }
  if (isEmptyKey(value)) throw validationException(emptyKeyText(name, value))
  return value
}

/**
 * A key attribute is compared with a value of the wrong type. In a single statement this is an invalid request, and in
 * a transaction a cancellation reason.
 */
export class WrongKeyType extends ServiceError {
  constructor(name: string) {
    super(
      'ValidationException',
      `Key attribute's data type should match its data type in table's schema: Key ${name}`,
    )
  }
}
