import type {
  CancellationReason,
  TransactionCanceledException,
  TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { cancellationText } from '@isotherm/semantics'

/** @returns `undefined` for an error that is no cancelled transaction */
export function cancellationOf(error: unknown): TransactionCanceledException | undefined {
  // By its name: a project may hold two copies of the SDK.
  const isCancelled = error instanceof Error && error.name === 'TransactionCanceledException'
  return isCancelled ? (error as TransactionCanceledException) : undefined
}

/**
 * The cancellation as the application gets it: one reason for each of its own members, in their order. The SDK's own object,
 * changed in place: most are thrown away, and a new one would be dear.
 */
export function cancelled(
  cancellation: TransactionCanceledException,
  reasons: readonly CancellationReason[],
  total: TransactWriteItemsCommandOutput['$metadata'] = {},
): TransactionCanceledException {
  return Object.assign(cancellation, {
    $metadata: { ...cancellation.$metadata, ...total },
    message: cancellationText(reasons),
    CancellationReasons: [...reasons],
  })
}
