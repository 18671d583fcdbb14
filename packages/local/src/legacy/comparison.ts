import {
  type AttributeType,
  type AttributeValue,
  attributeType,
  type BoundCondition,
  type Comparator,
  compareKeyValues,
  isKeyValue,
} from '@isotherm/semantics'
import { invalidParameters, type ServiceError, validationException } from '../errors/service-error.js'
import { checkAttributeName } from '../validation/attribute-name.js'

/** The comparison operators of legacy parameters, in the order in which the service lists them. */
export const COMPARISON_OPERATORS = [
  'IN',
  'NULL',
  'BETWEEN',
  'LT',
  'NOT_CONTAINS',
  'EQ',
  'GT',
  'NOT_NULL',
  'NE',
  'LE',
  'BEGINS_WITH',
  'GE',
  'CONTAINS',
] as const

export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number]

type UnaryOperator = 'NULL' | 'NOT_NULL'
type PartOperator = 'BEGINS_WITH' | 'CONTAINS' | 'NOT_CONTAINS'
type OrderOperator = Exclude<ComparisonOperator, UnaryOperator | PartOperator | 'BETWEEN' | 'IN'>

/** An operator with the right number and types of values. */
export type Comparison =
  | { readonly operator: UnaryOperator }
  | { readonly operator: OrderOperator; readonly value: AttributeValue }
  | { readonly operator: PartOperator; readonly value: AttributeValue }
  | { readonly operator: 'BETWEEN'; readonly from: AttributeValue; readonly to: AttributeValue }
  | { readonly operator: 'IN'; readonly options: readonly AttributeValue[] }

const ORDERED: readonly AttributeType[] = ['S', 'N', 'B']
const MEMBERS: readonly AttributeType[] = ['S', 'N', 'B', 'BOOL', 'NULL']

/** The types an operator accepts. An operator that is missing here accepts all. */
const TYPES: { readonly [operator in ComparisonOperator]?: readonly AttributeType[] } = {
  LT: ORDERED,
  LE: ORDERED,
  GT: ORDERED,
  GE: ORDERED,
  IN: ORDERED,
  BETWEEN: ORDERED,
  BEGINS_WITH: ['S', 'B'],
  CONTAINS: MEMBERS,
  NOT_CONTAINS: MEMBERS,
}

const COMPARATORS: { readonly [operator in OrderOperator]: Comparator } = {
  EQ: '=',
  NE: '<>',
  LT: '<',
  LE: '<=',
  GT: '>',
  GE: '>=',
}

/**
 * Checks the number and types of an operator's values.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Condition.html
 * @throws ServiceError
 */
export function comparisonOf(operator: ComparisonOperator, values: readonly AttributeValue[]): Comparison {
  const [first, second] = values
  switch (operator) {
    case 'NULL':
    case 'NOT_NULL':
      if (first !== undefined) throw wrongCount(operator)
      return { operator }
    case 'IN':
      if (first === undefined) throw wrongCount(operator)
      checkTypes(operator, values)
      return { operator, options: values }
    case 'BETWEEN':
      if (first === undefined || second === undefined || values.length > 2) throw wrongCount(operator)
      checkTypes(operator, values)
      checkBounds(first, second)
      return { operator, from: first, to: second }
    default:
      if (first === undefined || second !== undefined) throw wrongCount(operator)
      checkTypes(operator, values)
      return { operator, value: first }
  }
}

/**
 * Converts the comparison to a condition on a top-level attribute. A dot in its name has no special meaning.
 * @throws ServiceError
 */
export function conditionOn(attribute: string, comparison: Comparison): BoundCondition {
  checkAttributeName(attribute)
  const operand = { kind: 'path', path: [attribute] } as const
  switch (comparison.operator) {
    case 'NULL':
    case 'NOT_NULL':
      return { kind: 'exists', path: operand, wanted: comparison.operator === 'NOT_NULL' }
    case 'IN':
      return {
        kind: 'in',
        operand,
        options: comparison.options.map((value) => ({ kind: 'value', value }) as const),
      }
    case 'BETWEEN': {
      const { from, to } = comparison
      return {
        kind: 'between',
        operand,
        from: { kind: 'value', value: from },
        to: { kind: 'value', value: to },
      }
    }
    case 'BEGINS_WITH':
      return { kind: 'begins_with', operand, part: { kind: 'value', value: comparison.value } }
    case 'CONTAINS':
      return { kind: 'contains', operand, part: { kind: 'value', value: comparison.value } }
    case 'NOT_CONTAINS':
      // This differs from NOT contains(): a missing attribute does not match.
      return {
        kind: 'and',
        left: { kind: 'exists', path: operand, wanted: true },
        right: {
          kind: 'not',
          condition: conditionOn(attribute, { operator: 'CONTAINS', value: comparison.value }),
        },
      }
    default: {
      const right = { kind: 'value', value: comparison.value } as const
      return {
        kind: 'compare',
        operator: COMPARATORS[comparison.operator],
        left: operand,
        right,
      }
    }
  }
}

function checkTypes(operator: ComparisonOperator, values: readonly AttributeValue[]): void {
  const types = values.map(attributeType)
  const wrong = types.find((type) => TYPES[operator]?.includes(type) === false)
  if (wrong !== undefined) {
    throw invalidParameters(`ComparisonOperator ${operator} is not valid for ${wrong} AttributeValue type`)
  }
  if (types.some((type) => type !== types[0])) {
    throw invalidParameters('AttributeValues inside AttributeValueList must be of same type')
  }
}

function checkBounds(from: AttributeValue, to: AttributeValue): void {
  const order = isKeyValue(from) && isKeyValue(to) ? compareKeyValues(from, to) : undefined
  if (order !== undefined && order <= 0) return
  throw validationException(
    'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
  )
}

function wrongCount(operator: ComparisonOperator): ServiceError {
  return invalidParameters(`Invalid number of argument(s) for the ${operator} ComparisonOperator`)
}
