import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { compareKeyValues, type KeyValue, type SortCondition } from '@isotherm/semantics'
import { SORT_NAME } from '../sdk/placeholders.js'
import type { SortRange } from './sort-range.js'

/** A sort condition in the form of a request. */
export interface SortExpression {
  /** Text that follows `AND`, or empty without a condition. */
  readonly text: string
  readonly values: Record<string, AttributeValue>
  /** Sort keys that match the text but are not in the range. */
  readonly excluded: readonly KeyValue[]
}

const LOW = ':isotherm_low'
const HIGH = ':isotherm_high'

/** The condition, unchanged. */
export function expressionOf(condition: SortCondition | undefined): SortExpression {
  if (condition === undefined) return { text: '', values: {}, excluded: [] }
  if (condition.operator === 'between') return between(condition.from, condition.to, [])
  if (condition.operator === 'begins_with') {
    return { text: `begins_with(${SORT_NAME}, ${LOW})`, values: { [LOW]: condition.prefix }, excluded: [] }
  }
  return comparison(condition.operator, condition.value)
}

/**
 * Converts a range to a condition. DynamoDB accepts one sort condition, and the only one with two bounds is BETWEEN,
 * which is inclusive. So an exclusive bound next to another bound is included in the text and listed as excluded.
 */
export function expressionOfRange({ lower, upper }: SortRange): SortExpression {
  if (lower !== undefined && upper !== undefined) {
    if (lower.inclusive && upper.inclusive && compareKeyValues(lower.value, upper.value) === 0) {
      return comparison('=', lower.value)
    }
    const excluded = [lower, upper].filter((bound) => !bound.inclusive).map((bound) => bound.value)
    return between(lower.value, upper.value, excluded)
  }
  if (lower !== undefined) return comparison(lower.inclusive ? '>=' : '>', lower.value)
  if (upper !== undefined) return comparison(upper.inclusive ? '<=' : '<', upper.value)
  return expressionOf(undefined)
}

function comparison(operator: string, value: KeyValue): SortExpression {
  return { text: `${SORT_NAME} ${operator} ${LOW}`, values: { [LOW]: value }, excluded: [] }
}

function between(low: KeyValue, high: KeyValue, excluded: readonly KeyValue[]): SortExpression {
  return { text: `${SORT_NAME} BETWEEN ${LOW} AND ${HIGH}`, values: { [LOW]: low, [HIGH]: high }, excluded }
}
