import { type Item, ValidationError } from '@isotherm/semantics'
import { Throttled } from '../capacity/throttled.js'
import { CollectionTooLarge } from '../table/item-collections.js'
import { ItemLocked } from '../table/item-locks.js'
import { ServiceError } from '../wire/service-error.js'
import { throttlingText } from '../wire/throttling-error.js'

/**
 * Why a transaction did not happen, told for each of its actions in their order.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
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

/** The reason of an action that nothing was wrong with. */
export const NO_REASON: CancellationReason = { Code: 'None' }

/** @param item what the condition failed on, if the action wants to see it. */
export function conditionFailed(item: Item | undefined): CancellationReason {
  const Message = 'The conditional request failed'
  return { Code: 'ConditionalCheckFailed', Message, ...(item === undefined ? {} : { Item: item }) }
}

export function isThrottle({ Code }: CancellationReason): boolean {
  return Code === 'ProvisionedThroughputExceeded' || Code === 'ThrottlingError'
}

/** The reason for what an action threw. @throws the error itself when it is not about the action. */
export function reasonOf(error: unknown): CancellationReason {
  if (error instanceof ItemLocked) return { Code: 'TransactionConflict', Message: error.message }
  if (error instanceof CollectionTooLarge) {
    return { Code: 'ItemCollectionSizeLimitExceeded', Message: 'Collection size exceeded.' }
  }
  if (error instanceof Throttled) {
    const Code = error.billingMode === 'PROVISIONED' ? 'ProvisionedThroughputExceeded' : 'ThrottlingError'
    return { Code, Message: throttlingText(error) }
  }
  const isInvalid = error instanceof ServiceError && error.name === 'ValidationException'
  if (isInvalid || error instanceof ValidationError)
    return { Code: 'ValidationError', Message: error.message }
  throw error
}

/**
 * What a cancelled transaction is answered, whose reasons say more than the text does. SDKs do not try again.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function cancelled(reasons: readonly CancellationReason[]): ServiceError {
  const codes = reasons.map(({ Code }) => Code).join(', ')
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  )
}
