import type { AttributeValue, Item } from '@isotherm/semantics'
import { refuseUnknown, requireObject, requireText } from '../../options/check.js'
import type { PlainValue } from '../values/plain-item.js'
import { toAttributeValue } from '../values/to-attribute-value.js'

/** A condition of DynamoDB, with its placeholders. */
export interface Condition {
  /** Such as `attribute_not_exists(id)` or `#state = :draft`. */
  readonly expression: string
  /** Names for `#placeholders`. */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** Values for `:placeholders`. */
  readonly values?: Readonly<Record<string, PlainValue>> | undefined
}

/** A condition in the form of requests. */
export interface RequestCondition {
  readonly ConditionExpression: string
  readonly ExpressionAttributeNames?: Record<string, string>
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>
}

/**
 * Joins the application's condition and one of the pattern. Placeholders of the pattern begin with `#isotherm` and `:isotherm`.
 *
 * @throws IsothermError `options.invalid`, `options.unknown` or `pattern.value`
 */
export function joinedCondition(
  place: string,
  given: Condition | undefined,
  own: { readonly expression: string; readonly names: Record<string, string>; readonly values?: Item },
): RequestCondition {
  const { expression, names, values } = requestCondition(place, given)
  const allNames = { ...names, ...own.names }
  const allValues = { ...values, ...own.values }
  return {
    ConditionExpression: expression === undefined ? own.expression : `(${expression}) AND ${own.expression}`,
    ...(Object.keys(allNames).length === 0 ? {} : { ExpressionAttributeNames: allNames }),
    ...(Object.keys(allValues).length === 0 ? {} : { ExpressionAttributeValues: allValues }),
  }
}

/**
 * The application's condition or filter in the form of requests.
 *
 * @throws IsothermError `options.invalid`, `options.unknown` or `pattern.value`
 */
export function requestCondition(place: string, condition: Condition | undefined) {
  if (condition === undefined) return { expression: undefined, names: {}, values: {} }
  requireObject(place, condition, 'an object with an expression')
  refuseUnknown(place, condition, ['expression', 'names', 'values'])
  const expression = requireText(`${place}.expression`, condition.expression, 'a condition expression')
  const values: Item = {}
  for (const [name, value] of Object.entries(condition.values ?? {}))
    values[name] = toAttributeValue(`${place}.values.${name}`, value)
  return { expression, names: condition.names ?? {}, values }
}
