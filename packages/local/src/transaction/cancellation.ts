import { CONDITION_FAILED_TEXT, cancellationText, type Item, ValidationError } from '@isotherm/semantics'
import { Throttled } from '../capacity/throttled.js'
import { throttlingText } from '../capacity/throttling-error.js'
import { RefusedAtOnce } from '../errors/refused-at-once.js'
import { ServiceError } from '../errors/service-error.js'
import { CollectionTooLarge } from '../table/item-collections.js'
import { ItemLocked } from '../table/item-locks.js'

/**
 * Why a transaction was cancelled: one reason for each of its actions, in their order. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
 */
export interface CancellationReason {
  readonly Code:
    | 'None'
    | 'ConditionalCheckFailed'
    | 'ItemCollectionSizeLimitExceeded'
    | 'ProvisionedThroughputExceeded'
    | 'ThrottlingError'
    | 'TransactionConflict'
    | 'ValidationError'
  readonly Message?: string
  readonly Item?: Item
}

/** The reason of an action that could have succeeded. */
export const NO_REASON: CancellationReason = { Code: 'None' }

/** @param item the existing item, if the action returns it when its condition fails. */
export function conditionFailed(item: Item | undefined): CancellationReason {
  return {
    Code: 'ConditionalCheckFailed',
    Message: CONDITION_FAILED_TEXT,
    ...(item === undefined ? {} : { Item: item }),
  }
}

export function isThrottle({ Code }: CancellationReason): boolean {
  return Code === 'ProvisionedThroughputExceeded' || Code === 'ThrottlingError'
}

/** Converts an error of an action to a reason. @throws the error itself when it is one of the whole request. */
export function reasonOf(error: unknown): CancellationReason {
  if (error instanceof ItemLocked) return { Code: 'TransactionConflict', Message: error.message }
  if (error instanceof CollectionTooLarge) {
    return { Code: 'ItemCollectionSizeLimitExceeded', Message: 'Collection size exceeded.' }
  }
  if (error instanceof Throttled) {
    const Code = error.billingMode === 'PROVISIONED' ? 'ProvisionedThroughputExceeded' : 'ThrottlingError'
    return { Code, Message: throttlingText(error) }
  }
  if (error instanceof RefusedAtOnce) throw error
  const isInvalid = error instanceof ServiceError && error.name === 'ValidationException'
  if (isInvalid || error instanceof ValidationError)
    return { Code: 'ValidationError', Message: error.message }
  throw error
}

/**
 * The response to a cancelled transaction. Its reasons hold more detail than its text. SDKs do not retry it. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function cancelled(reasons: readonly CancellationReason[]): ServiceError {
  return new ServiceError('TransactionCanceledException', cancellationText(reasons), {
    CancellationReasons: reasons,
  })
}
