import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import { ValidationError } from '@isotherm/semantics'
import { IsothermError, type IsothermErrorCode } from '../errors/isotherm-error.js'

/**
 * Refusals of requests that the service would reject with a `ValidationException`, too: without a key, with a key of the
 * wrong type, or with a start key that does not belong to the query.
 */
const REJECTED_BY_SERVICE: readonly IsothermErrorCode[] = ['key.missing', 'key.type', 'cursor.invalid']

/**
 * The service's error for a malformed request, in the SDK's class. The library parses key conditions and cursors
 * itself, and its errors must look the same to callers as the service's.
 */
export function validationException(message: string, cause?: unknown): DynamoDBServiceException {
  const exception = new DynamoDBServiceException({
    name: 'ValidationException',
    $fault: 'client',
    message,
    $metadata: { httpStatusCode: 400, attempts: 0, totalRetryDelay: 0 },
  })
  return Object.assign(exception, { cause })
}

/** Returns the result of the work, and converts its errors to the SDK's class. */
export function inServiceWords<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw inServiceClass(error)
  }
}

/**
 * Returns the error, in the SDK's class if the service would reject the request, too. An error of Isotherm keeps its
 * `code`, `details` and `help`, and remains an instance of `IsothermError`.
 */
export function inServiceClass(error: unknown): unknown {
  if (error instanceof ValidationError) return validationException(error.message, error)
  if (!(error instanceof IsothermError) || !REJECTED_BY_SERVICE.includes(error.code)) return error
  const { message, code, details, help } = error
  return Object.assign(validationException(message, error), { code, details, help })
}
