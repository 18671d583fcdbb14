import type {
  CancellationReason,
  TransactionCanceledException,
  TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { cancellationText } from '@isotherm/semantics'

/**
 * The cancellation for the application, with one reason for each of its own members, in their order. The SDK's own
 * object is modified, because most are discarded, and creating a new one is expensive.
 */
export function presentedCancellation(
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
