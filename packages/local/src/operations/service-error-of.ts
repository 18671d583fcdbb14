import { ValidationError } from '@isotherm/semantics'
import { Throttled } from '../capacity/throttled.js'
import { CollectionTooLarge } from '../table/item-collections.js'
import { ItemLocked } from '../table/item-locks.js'
import { ServiceError, validationException } from '../wire/service-error.js'
import { throttlingError } from '../wire/throttling-error.js'

/** What the service would answer for what the layers below throw; nothing for anything else, which is a bug. */
export function serviceErrorOf(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  if (error instanceof Throttled) return throttlingError(error)
  if (error instanceof ItemLocked) return new ServiceError('TransactionConflictException', error.message)
  if (error instanceof ValidationError) return validationException(error.message)
  if (error instanceof CollectionTooLarge) {
    return new ServiceError('ItemCollectionSizeLimitExceededException', 'Collection size exceeded.')
  }
  return undefined
}
