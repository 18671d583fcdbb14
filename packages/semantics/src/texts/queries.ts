import { invalidParametersText } from './parameters.js'

/** The service's sentences about queries and scans. */

export const LIMIT_TEXT =
  "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
export const NO_KEY_CONDITION_TEXT =
  'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.'
export const KEY_CONDITION_COUNT_TEXT = 'Conditions can be of length 1 or 2 only'
export const REPEATED_KEY_CONDITION_TEXT =
  'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key'
export const UNSUPPORTED_KEY_CONDITION_TEXT = 'Query key condition not supported'
export const INVALID_START_KEY_TEXT = 'The provided starting key is invalid'
export const FOREIGN_START_KEY_TEXT =
  'The provided starting key is outside query boundaries based on provided conditions'

/** For a key condition in an expression; that of the legacy parameter has a text of its own. */
export function keyConditionCountText(conditions: number, keyAttributes: number): string {
  return `The number of query conditions (${conditions}) exceeds the number of key attributes defined in the schema (${keyAttributes})`
}

/** @param unequal the attributes without an equality, before the one that has a condition. */
export function unequalRangeKeysText(unequal: readonly string[], conditioned: string): string {
  return `RANGE key attributes ${unequal.join(', ')} must have equality conditions specified in the query because a condition is present on key attribute ${conditioned}`
}

export function missedKeyText(name: string): string {
  return `Query condition missed key schema element: ${name}`
}

export function keyConditionTypeText(): string {
  return invalidParametersText('Condition parameter type does not match schema type')
}
