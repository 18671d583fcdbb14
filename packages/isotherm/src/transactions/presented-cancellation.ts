import type {
  CancellationReason,
  TransactionCanceledException,
  TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { cancellationText } from '@isotherm/semantics'

/**
 * Returns the cancellation for the application, with one reason for each of the application's members, in their order.
 * It modifies the SDK's object, because most cancellations are discarded, and creating an error is expensive.
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
