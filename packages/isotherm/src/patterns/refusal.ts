import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { isRefusedByCondition } from '../sdk/condition-refusal.js'
import { cancellationCodes, isCancellation, isConflict } from '../sdk/transaction-errors.js'
import { throttleThatEnded } from './stop-at-throttle.js'

/**
 * An answer of the service that says that nothing was written.
 *
 * - `throttled`: a partition, the table or the account has no capacity left. `reasons` are the service's.
 * - `conflict`: a transaction holds an item of the request.
 * - `condition`: a condition did not hold. `failed` has the positions of its actions within a transaction, or 0.
 */
export type Refusal =
  | { readonly kind: 'throttled'; readonly reasons: readonly string[] }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'condition'; readonly failed: readonly number[] }

const THROTTLED_CODES: ReadonlySet<string | undefined> = new Set([
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])

/** @returns `undefined` for an error after which the request may have been carried out, and for a request that is invalid */
export function refusalOf(error: unknown): Refusal | undefined {
  const throttle = throttleThatEnded(error)
  if (throttle !== undefined) return { kind: 'throttled', reasons: throttle.reasons }
  if (isConflict(error)) return { kind: 'conflict' }
  if (isRefusedByCondition(error)) return { kind: 'condition', failed: [0] }
  if (!isCancellation(error)) return undefined
  const codes = cancellationCodes(error)
  // A condition that does not hold decides, whatever else the transaction met.
  const failed = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []))
  if (failed.length > 0) return { kind: 'condition', failed }
  if (codes.some((code) => THROTTLED_CODES.has(code))) return { kind: 'throttled', reasons: [] }
  return codes.includes('TransactionConflict') ? { kind: 'conflict' } : undefined
}

/** The item as it was when a condition of the request did not hold, where the request asked for it and the service gave it. */
export function itemThatRefused(error: unknown): Readonly<Record<string, AttributeValue>> | undefined {
  return isRefusedByCondition(error) ? error.Item : undefined
}

/** The SDK's error behind one that ended a request early. */
export function originalError(error: unknown): unknown {
  return throttleThatEnded(error)?.error ?? error
}
