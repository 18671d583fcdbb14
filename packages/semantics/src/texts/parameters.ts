/** The service's sentences about a request's parameters in general. */

export const INVALID_NEXT_TOKEN_TEXT = 'Invalid NextToken'

/** @param rule the broken rule, as a sentence without a full stop. */
export function invalidParametersText(rule: string): string {
  return `One or more parameter values were invalid: ${rule}`
}

/** @param rules the broken rules, as whole sentences. */
export function unsupportedParametersText(rules: string): string {
  return `One or more parameter values are not valid. ${rules}`
}

/** @param member the path of the member that breaks the constraint. */
export function constraintText(member: string, constraint: string): string {
  return `1 validation error detected: Value at '${member}' failed to satisfy constraint: ${constraint}`
}

export function atLeastText(property: 'length' | 'value', minimum: number): string {
  return `Member must have ${property} greater than or equal to ${minimum}`
}

export function atMostText(property: 'length' | 'value', maximum: number): string {
  return `Member must have ${property} less than or equal to ${maximum}`
}
