import {
  ItemCollectionSizeLimitExceededException,
  ProvisionedThroughputExceededException,
  ThrottlingException,
  type TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import type { Throttle } from '../sdk/throttle.js'
import { validationException } from '../sdk/validation-exception.js'

const METADATA = { httpStatusCode: 400 }
const TOO_LARGE = 'ItemCollectionSizeLimitExceeded'
const PROVISIONED = 'ProvisionedThroughputExceeded'

/** An attempt that may succeed later. */
export interface Refusal {
  readonly error: Error
  readonly throttle?: Throttle
}

/** What a cancelled transaction comes to for a caller that asked for a single write. */
export type Cancellation =
  /** Something is where nothing was, or nothing where something was. */
  | { readonly kind: 'condition' }
  /** It may be carried out later. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'failed'; readonly error: Error }

/**
 * Why a transaction of the library's own was cancelled; of several reasons the one that waiting helps least decides.
 * @returns `undefined` for another error
 */
export function cancellationOf(error: unknown): Cancellation | undefined {
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

/** By its name: a project may hold two copies of the SDK, and a bundler may rename classes. */
export function isCancellation(error: unknown): error is TransactionCanceledException {
  return error instanceof Error && error.name === 'TransactionCanceledException'
}

/** A cancellation tells no ThrottlingReasons, only that it was one. */
function throttled(error: Error): Cancellation {
  return { kind: 'refused', refusal: { error, throttle: { error, reasons: [] } } }
}
