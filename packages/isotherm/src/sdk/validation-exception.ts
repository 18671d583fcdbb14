import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import { ValidationError } from '@isotherm/semantics'

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

/** Returns the error, in the SDK's class if it has the service's text. */
export function inServiceClass(error: unknown): unknown {
  return error instanceof ValidationError ? validationException(error.message, error) : error
}
