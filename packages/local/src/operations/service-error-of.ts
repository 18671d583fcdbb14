import { ValidationError } from '@isotherm/semantics'
import { ControlPlaneThrottled } from '../capacity/control-plane-limits.js'
import { Throttled } from '../capacity/throttled.js'
import { throttlingError } from '../capacity/throttling-error.js'
import { LocalError } from '../errors/local-error.js'
import { internalServerError, ServiceError, validationException } from '../errors/service-error.js'
import { CollectionTooLarge } from '../table/item-collections.js'
import { ItemLocked } from '../table/item-locks.js'
import { TableGone } from '../table/table-gone.js'

/** The service's response to an error of the layers below. `undefined` for any other error, which is a bug. */
export function serviceErrorOf(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  if (error instanceof Throttled) return throttlingError(error)
  if (error instanceof ControlPlaneThrottled) return new ServiceError('ThrottlingException', error.message)
  if (error instanceof ItemLocked) return new ServiceError('TransactionConflictException', error.message)
  if (error instanceof TableGone) return new ServiceError('ResourceNotFoundException', error.message)
  if (error instanceof ValidationError) return validationException(error.message)
  if (error instanceof CollectionTooLarge) {
    return new ServiceError('ItemCollectionSizeLimitExceededException', 'Collection size exceeded.')
  }
  // The store has already reported this error. For the request it is an internal error of the service, which clients
  // retry.
  if (error instanceof LocalError) return internalServerError(error.message)
  return undefined
}
