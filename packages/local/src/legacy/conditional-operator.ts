import type { BoundCondition } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { Shape } from '../validation/shape.js'

export type ConditionalOperator = 'AND' | 'OR'

export const CONDITIONAL_OPERATOR = { type: 'string', oneOf: ['OR', 'AND'] } as const satisfies Shape

/**
 * Checks that the operator has at least two conditions to join.
 *
 * Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.ConditionalOperator.html
 * @throws ServiceError
 */
export function checkConditionalOperator(
  operator: ConditionalOperator | undefined,
  conditions: object | undefined,
): void {
  if (operator === undefined) return
  const count = Object.keys(conditions ?? {}).length
  if (count === 0) throw validationException('ConditionalOperator cannot be used without Filter or Expected')
  if (count === 1) {
    throw validationException(
      'ConditionalOperator can only be used when Filter or Expected has two or more elements',
    )
  }
}

/**
 * Joins all conditions into one. Returns `undefined` when there are none.
 *
 * They are joined in halves, because a chain of a megabyte of conditions would overflow the stack.
 */
export function joined(
  conditions: readonly BoundCondition[],
  operator: ConditionalOperator = 'AND',
): BoundCondition | undefined {
  if (conditions.length < 2) return conditions[0]
  const middle = conditions.length >> 1
  const left = joined(conditions.slice(0, middle), operator)
  const right = joined(conditions.slice(middle), operator)
  if (left === undefined || right === undefined) return left ?? right
  return { kind: operator === 'AND' ? 'and' : 'or', left, right }
}
