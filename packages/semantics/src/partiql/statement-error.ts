import { ValidationError } from '../validation-error.js'

/**
 * A statement that cannot be read.
 *
 * @param detail what the service adds; it adds nothing for text that holds no tokens of the language.
 */
export function notWellFormed(detail: string): ValidationError {
  return new ValidationError('partiql.syntax', `Statement wasn't well formed, can't be processed: ${detail}`)
}

/** A statement that reads well and asks for what DynamoDB does not do. */
export function refused(message: string): ValidationError {
  return new ValidationError('partiql.refused', message)
}

/** A path that stands where the language allows none. */
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

/** MISSING as an operand of anything but IS. */
export function misplacedMissing(): ValidationError {
  return refused('MISSING must be compared using IS operator')
}

export function unsupportedOperator(operator: string, expression: 'Condition' | 'Update'): ValidationError {
  return refused(`Unsupported operator in ${expression} Expression. Operator: ${operator}`)
}

const PARAMETER = /^Invalid (?:ConditionExpression|UpdateExpression|ProjectionExpression): /

/**
 * Does what checks expressions, with the errors of a statement: the same texts without the name of a request's
 * parameter, for a statement has none.
 */
export function inStatement<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new ValidationError(error.code, error.message.replace(PARAMETER, ''))
  }
}
