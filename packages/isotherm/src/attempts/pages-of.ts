import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import type { MoveSender } from './move-sender.js'
import type { Pace } from './pace.js'

/** The cost of a full page, read consistently, if the service does not report the cost. */
const FULL_PAGE_UNITS = 256

/** A sender, and the pace that it keeps. */
export interface PacedSender {
  readonly sender: MoveSender
  readonly pace: Pace
}

/** Yields the pages of a scan. The cost of a page is known only after it was read, so the wait follows the page. */
export async function* pagesOf(
  { sender, pace }: PacedSender,
  input: ScanCommandInput,
  signal: AbortSignal,
): AsyncGenerator<ScanCommandOutput> {
  let ExclusiveStartKey = input.ExclusiveStartKey
  do {
    signal.throwIfAborted()
    const command = new ScanCommand({ ...input, ExclusiveStartKey, ReturnConsumedCapacity: 'TOTAL' })
    const page = await sender.answer<ScanCommandOutput>(command, 0)
    yield page
    await pace.take(page.ConsumedCapacity?.CapacityUnits ?? FULL_PAGE_UNITS, signal)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
}
