import {
  type AttributeValue,
  arrangeKeyCondition,
  isKeyValue,
  KEY_CONDITION_COUNT_TEXT,
  type KeyCondition,
  type KeyValue,
  keyConditionTypeText,
  missedKeyText,
  type SortCondition,
  UNSUPPORTED_KEY_CONDITION_TEXT,
} from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { KeySchema } from '../table/table-definition.js'
import type { Comparison } from './comparison.js'
import { type Conditions, comparisonsOf } from './conditions.js'

/** A partition key and at most one sort key. KeyConditions predates keys of several attributes. */
const MAX_KEY_CONDITIONS = 2

/** Checks KeyConditions as far as possible without a table. @throws ServiceError */
export function keyComparisons(conditions: Conditions): ReadonlyMap<string, Comparison> {
  const comparisons = comparisonsOf(conditions)
  if (comparisons.size === 0 || comparisons.size > MAX_KEY_CONDITIONS) {
    throw validationException(KEY_CONDITION_COUNT_TEXT)
  }
  return comparisons
}

/**
 * Converts KeyConditions to the key condition of an equivalent KeyConditionExpression.
 *
 * Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.KeyConditions.html
 * @throws ServiceError, ValidationError
 */
export function keyConditionOf(
  comparisons: ReadonlyMap<string, Comparison>,
  schema: KeySchema,
): KeyCondition {
  const tests = new Map<string, SortCondition>()
  for (const { name } of [...schema.hash, ...schema.range]) {
    const comparison = comparisons.get(name)
    if (comparison === undefined) break
    tests.set(name, sortCondition(comparison))
  }
  const condition = arrangeKeyCondition(tests, schema)
  if (tests.size < comparisons.size) {
    const next = schema.range[condition.sort.length]
    throw validationException(next === undefined ? UNSUPPORTED_KEY_CONDITION_TEXT : missedKeyText(next.name))
  }
  return condition
}

function sortCondition(comparison: Comparison): SortCondition {
  switch (comparison.operator) {
    case 'EQ':
      return { operator: '=', value: keyValue(comparison.value) }
    case 'LT':
      return { operator: '<', value: keyValue(comparison.value) }
    case 'LE':
      return { operator: '<=', value: keyValue(comparison.value) }
    case 'GT':
      return { operator: '>', value: keyValue(comparison.value) }
    case 'GE':
      return { operator: '>=', value: keyValue(comparison.value) }
    case 'BEGINS_WITH':
      return { operator: 'begins_with', prefix: keyValue(comparison.value) }
    case 'BETWEEN':
      return { operator: 'between', from: keyValue(comparison.from), to: keyValue(comparison.to) }
    default:
      throw validationException('Attempted conditional constraint is not an indexable operation')
  }
}

function keyValue(value: AttributeValue): KeyValue {
  if (isKeyValue(value)) return value
  throw validationException(keyConditionTypeText())
}
