import { invalidParametersText } from './parameters.js'

/** The service's sentences about queries and scans. */

export const LIMIT_TEXT =
  "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
export const NO_KEY_CONDITION_TEXT =
  'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.'
export const KEY_CONDITION_COUNT_TEXT = 'Conditions can be of length 1 or 2 only'
export const UNSUPPORTED_KEY_CONDITION_TEXT = 'Query key condition not supported'
export const INVALID_START_KEY_TEXT = 'The provided starting key is invalid'
export const FOREIGN_START_KEY_TEXT =
  'The provided starting key is outside query boundaries based on provided conditions'

export function missedKeyText(name: string): string {
  return `Query condition missed key schema element: ${name}`
}

export function keyConditionTypeText(): string {
  return invalidParametersText('Condition parameter type does not match schema type')
}
