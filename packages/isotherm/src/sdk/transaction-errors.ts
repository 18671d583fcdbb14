import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb'

// Errors are checked by name, because a project may contain two copies of the SDK, and a bundler may rename classes.

export function isCancellation(error: unknown): error is TransactionCanceledException {
  return error instanceof Error && error.name === 'TransactionCanceledException'
}

/** The codes of a cancelled transaction's actions, in order; none for another error. */
export function cancellationCodes(error: unknown): readonly (string | undefined)[] {
  return (isCancellation(error) && error.CancellationReasons?.map((reason) => reason?.Code)) || []
}

/** Whether a request met an item that is in a transaction. The SDK does not try again. */
export function isConflict(error: unknown): error is Error {
  return error instanceof Error && error.name === 'TransactionConflictException'
}
