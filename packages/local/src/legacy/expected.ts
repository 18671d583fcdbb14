import type { AttributeValue, BoundCondition } from '@isotherm/semantics'
import { invalidParameters } from '../errors/service-error.js'
import { decodeValue, decodeValues } from '../validation/decode-item.js'
import type { Shape } from '../validation/shape.js'
import { COMPARISON_OPERATORS, type ComparisonOperator, comparisonOf, conditionOn } from './comparison.js'
import { type ConditionalOperator, checkConditionalOperator, joined } from './conditional-operator.js'
import { ATTRIBUTE_VALUES } from './conditions.js'
import { checkValueCount, MOST_LEGACY_MEMBERS } from './legacy-limits.js'

/**
 * The expectation of one attribute, in the older form (Value, Exists) or the later one (an operator and its values).
 */
interface ExpectedAttribute {
  readonly Value?: unknown
  readonly Exists?: boolean
  readonly ComparisonOperator?: ComparisonOperator
  readonly AttributeValueList?: readonly unknown[]
}

/** The members of a request that form its legacy condition. */
export interface ExpectedInput {
  readonly Expected?: { readonly [attribute: string]: ExpectedAttribute }
  readonly ConditionalOperator?: ConditionalOperator
}

export const EXPECTED = {
  type: 'map',
  most: MOST_LEGACY_MEMBERS,
  of: {
    type: 'structure',
    members: {
      Value: { type: 'attribute-value' },
      Exists: { type: 'boolean' },
      ComparisonOperator: { type: 'string', oneOf: COMPARISON_OPERATORS },
      AttributeValueList: ATTRIBUTE_VALUES,
    },
  },
} as const satisfies Shape

/**
 * Converts Expected to the condition of an equivalent ConditionExpression. Returns `undefined` when nothing is
 * expected.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.Expected.html
 * @throws ServiceError
 */
export function expectedCondition({
  Expected: expected,
  ConditionalOperator: operator,
}: ExpectedInput): BoundCondition | undefined {
  if (expected === undefined && operator === undefined) return undefined
  checkValueCount(expected ?? {})
  const conditions = Object.entries(expected ?? {}).map(([attribute, wanted]) =>
    wanted.ComparisonOperator === undefined
      ? equality(attribute, wanted)
      : conditionOn(
          attribute,
          comparisonOf(
            wanted.ComparisonOperator,
            comparedValues(attribute, wanted.ComparisonOperator, wanted),
          ),
        ),
  )
  checkConditionalOperator(operator, expected)
  return joined(conditions, operator)
}

/** Without an operator, an attribute is expected to have a value, or not to exist. */
function equality(
  attribute: string,
  { Value, Exists, AttributeValueList }: ExpectedAttribute,
): BoundCondition {
  if (AttributeValueList !== undefined) {
    throw Value === undefined
      ? refused('AttributeValueList can only be used with a ComparisonOperator', attribute)
      : bothValues(attribute)
  }
  if (Exists === false) {
    if (Value !== undefined) throw refused('Value cannot be used when Exists is false', attribute)
    return conditionOn(attribute, { operator: 'NULL' })
  }
  if (Value === undefined) {
    throw refused(`Value must be provided when Exists is ${Exists ?? null}`, attribute)
  }
  return conditionOn(attribute, { operator: 'EQ', value: decodeValue(Value) })
}

function comparedValues(
  attribute: string,
  operator: ComparisonOperator,
  { Value, Exists, AttributeValueList }: ExpectedAttribute,
): readonly AttributeValue[] {
  if (Value !== undefined && AttributeValueList !== undefined) throw bothValues(attribute)
  if (Exists !== undefined) {
    throw refused('Exists and ComparisonOperator cannot be used together', attribute)
  }
  if (AttributeValueList !== undefined) return decodeValues(AttributeValueList)
  if (Value !== undefined) return [decodeValue(Value)]
  if (operator === 'NULL' || operator === 'NOT_NULL') return []
  throw refused(`Value or AttributeValueList must be used with ComparisonOperator: ${operator}`, attribute)
}

function bothValues(attribute: string) {
  return refused('Value and AttributeValueList cannot be used together', attribute)
}

function refused(rule: string, attribute: string) {
  return invalidParameters(`${rule} for Attribute: ${attribute}`)
}
