import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import { ValidationError } from '@isotherm/semantics'

/**
 * The service's own refusal of a malformed request, as the SDK would throw it. The library has to read key conditions
 * and cursors itself, and a caller must not see who it was that refused them.
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

/** What the work returns, its refusals in the SDK's class. */
export function inServiceWords<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof ValidationError) throw validationException(error.message, error)
    throw error
  }
}
