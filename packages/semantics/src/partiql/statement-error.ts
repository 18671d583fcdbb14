import { ValidationError } from '../validation-error.js'

/**
 * The error for a statement that cannot be parsed.
 *
 * @param detail the service's explanation; empty for text that contains no tokens of the language.
 */
export function notWellFormed(detail: string): ValidationError {
  return new ValidationError('partiql.syntax', `Statement wasn't well formed, can't be processed: ${detail}`)
}

/** The error for a statement that parses, but asks for something that DynamoDB does not support. */
export function refused(message: string): ValidationError {
  return new ValidationError('partiql.refused', message)
}

/** The error for a path where the language allows none. */
export function unexpectedComponent(at: string): ValidationError {
  return refused(`Unexpected path component at ${at}`)
}

export function emptyName(): ValidationError {
  return refused('Path component cannot be an empty string')
}

export function aliased(): ValidationError {
  return refused('Aliasing is not supported')
}

export function unrecognizedFunction(name: string, at: string): ValidationError {
  return refused(`Unrecognized function: ${name} at ${at}`)
}

/** The error for MISSING as an operand of anything except IS. */
export function misplacedMissing(): ValidationError {
  return refused('MISSING must be compared using IS operator')
}

export function unsupportedOperator(operator: string, expression: 'Condition' | 'Update'): ValidationError {
  return refused(`Unsupported operator in ${expression} Expression. Operator: ${operator}`)
}

const PARAMETER = /^Invalid (?:ConditionExpression|UpdateExpression|ProjectionExpression): /

/**
 * Runs a check of expressions with the errors of a statement: the same texts without the name of the request parameter,
 * because a statement has none.
 */
export function inStatement<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new ValidationError(error.code, error.message.replace(PARAMETER, ''))
  }
}
