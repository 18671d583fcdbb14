import {
  type CancellationReason,
  TransactionCanceledException,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'

/** @returns `undefined` for an error that is no cancelled transaction */
export function cancellationOf(error: unknown): TransactionCanceledException | undefined {
  // By its name: a project may hold two copies of the SDK.
  const isCancelled = error instanceof Error && error.name === 'TransactionCanceledException'
  return isCancelled ? (error as TransactionCanceledException) : undefined
}

/** The cancellation as the application gets it: one reason for each of its own members, in their order. */
export function cancelled(
  { $metadata }: TransactionCanceledException,
  reasons: readonly CancellationReason[],
  total: TransactWriteItemsCommandOutput['$metadata'] = {},
): TransactionCanceledException {
  const codes = reasons.map(({ Code }) => Code).join(', ')
  return new TransactionCanceledException({
    $metadata: { ...$metadata, ...total },
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: [...reasons],
  })
}
