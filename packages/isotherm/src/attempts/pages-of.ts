import type { ScanCommandInput, ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import type { MoveSender } from './move-sender.js'

/**
 * Yields the pages of a scan, no faster than the pace of its sender.
 * @throws the reason of the signal; the SDK's errors
 */
export async function* pagesOf(
  sender: MoveSender,
  signal: AbortSignal | undefined,
  input: ScanCommandInput,
): AsyncGenerator<ScanCommandOutput> {
  let ExclusiveStartKey = input.ExclusiveStartKey
  do {
    signal?.throwIfAborted()
    const page = await sender.scanPage({ ...input, ExclusiveStartKey })
    yield page
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
}
