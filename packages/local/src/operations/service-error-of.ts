import { ValidationError } from '@isotherm/semantics'
import { ControlPlaneThrottled } from '../capacity/control-plane-limits.js'
import { Throttled } from '../capacity/throttled.js'
import { throttlingError } from '../capacity/throttling-error.js'
import { LocalError } from '../errors/local-error.js'
import { internalServerError, ServiceError, validationException } from '../errors/service-error.js'
import { CollectionTooLarge } from '../table/item-collections.js'
import { ItemLocked } from '../table/item-locks.js'
import { TableGone } from '../table/table-gone.js'

/** What the service would answer for what the layers below throw; nothing for anything else, which is a bug. */
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
  // The store has told of it already: for the request it is the service's own failure, worth another try.
  if (error instanceof LocalError) return internalServerError(error.message)
  return undefined
}
