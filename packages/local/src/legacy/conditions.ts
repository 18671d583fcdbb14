import type { BoundCondition } from '@isotherm/semantics'
import { decodeValues } from '../validation/decode-item.js'
import type { Shape } from '../validation/shape.js'
import {
  COMPARISON_OPERATORS,
  type Comparison,
  type ComparisonOperator,
  comparisonOf,
  conditionOn,
} from './comparison.js'
import { type ConditionalOperator, checkConditionalOperator, joined } from './conditional-operator.js'
import { checkValueCount, MOST_LEGACY_MEMBERS } from './legacy-limits.js'

/** Conditions by attribute, in the form of KeyConditions, QueryFilter and ScanFilter. */
export interface Conditions {
  readonly [attribute: string]: {
    readonly ComparisonOperator: ComparisonOperator
    readonly AttributeValueList?: readonly unknown[]
  }
}

export const ATTRIBUTE_VALUES = { type: 'list', of: { type: 'attribute-value' } } as const satisfies Shape

export const CONDITIONS = {
  type: 'map',
  most: MOST_LEGACY_MEMBERS,
  of: {
    type: 'structure',
    members: {
      AttributeValueList: ATTRIBUTE_VALUES,
      ComparisonOperator: { type: 'string', oneOf: COMPARISON_OPERATORS, required: true },
    },
  },
} as const satisfies Shape

/** The checked comparisons, by attribute. @throws ServiceError */
export function comparisonsOf(conditions: Conditions): ReadonlyMap<string, Comparison> {
  checkValueCount(conditions)
  return new Map(
    Object.entries(conditions).map(([attribute, { ComparisonOperator, AttributeValueList = [] }]) => [
      attribute,
      comparisonOf(ComparisonOperator, decodeValues(AttributeValueList)),
    ]),
  )
}

/**
 * Converts a QueryFilter or ScanFilter to the condition of an equivalent FilterExpression.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.QueryFilter.html
 * @throws ServiceError
 */
export function filterCondition(
  filter: Conditions | undefined,
  operator: ConditionalOperator | undefined,
): BoundCondition | undefined {
  if (filter === undefined && operator === undefined) return undefined
  const conditions = [...comparisonsOf(filter ?? {})].map(([attribute, comparison]) =>
    conditionOn(attribute, comparison),
  )
  checkConditionalOperator(operator, filter)
  return joined(conditions, operator)
}
