import {
  ItemCollectionSizeLimitExceededException,
  ProvisionedThroughputExceededException,
  ThrottlingException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import type { Refusal } from '../attempts/attempt-loop.js'
import { isCancellation } from '../sdk/transaction-errors.js'
import { validationException } from '../sdk/validation-exception.js'

const METADATA = { httpStatusCode: 400 }
const TOO_LARGE = 'ItemCollectionSizeLimitExceeded'
const PROVISIONED = 'ProvisionedThroughputExceeded'

/** The result of a cancelled creation for a caller that requested a single write. */
export type CancelledCreation =
  /** An item exists that was missing before, or an item is missing that existed before. */
  | { readonly kind: 'condition' }
  /** A retry may succeed. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'failed'; readonly error: Error }

/**
 * Returns why the transaction that creates an item was cancelled. If there are several reasons, it returns the one that
 * a retry is least likely to resolve.
 * @returns `undefined` for another error
 */
export function cancelledCreation(error: unknown): CancelledCreation | undefined {
  if (!isCancellation(error)) return undefined
  const messages = new Map(error.CancellationReasons?.map(({ Code, Message }) => [Code, Message]))
  const detailsOf = (code: string) => ({ message: messages.get(code) ?? error.message, $metadata: METADATA })
  if (messages.has('ValidationError')) {
    return { kind: 'failed', error: validationException(detailsOf('ValidationError').message, error) }
  }
  if (messages.has(TOO_LARGE)) {
    return { kind: 'failed', error: new ItemCollectionSizeLimitExceededException(detailsOf(TOO_LARGE)) }
  }
  if (messages.has('ConditionalCheckFailed')) return { kind: 'condition' }
  if (messages.has('ThrottlingError')) return throttled(new ThrottlingException(detailsOf('ThrottlingError')))
  if (messages.has(PROVISIONED)) {
    return throttled(new ProvisionedThroughputExceededException(detailsOf(PROVISIONED)))
  }
  if (!messages.has('TransactionConflict')) return { kind: 'failed', error }
  const conflict = new TransactionConflictException(detailsOf('TransactionConflict'))
  return { kind: 'refused', refusal: { error: conflict } }
}

/** A throttle without ThrottlingReasons, because a cancellation does not contain them. */
function throttled(error: Error): CancelledCreation {
  return { kind: 'refused', refusal: { error, reasons: [] } }
}
