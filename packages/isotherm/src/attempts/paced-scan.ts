import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { MoveSender } from './move-sender.js'
import { UnitPace } from './unit-pace.js'

/** Work that scans a whole table at a limited rate. */
export interface PacedWork {
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  readonly unitsPerSecond: number
  readonly signal: AbortSignal | undefined
}

/** Consecutive throttles before the work fails. With the waits between them, they take a few minutes. */
const MAX_ATTEMPTS = 30
/** The cost of an eventually consistent page of one megabyte, used if the service does not report the cost. */
const FULL_PAGE_UNITS = 128

/** Returns a sender that keeps the pace, and the pace itself, for costs that are known only afterwards. */
export function pacedSender({ client, clock, random, unitsPerSecond, signal }: PacedWork) {
  const pace = new UnitPace(clock, unitsPerSecond)
  const sender = new MoveSender({ client, clock, random }, { maxAttempts: MAX_ATTEMPTS, pace, signal })
  return { sender, pace }
}

/**
 * Yields the pages of a scan, no faster than the pace. The cost of a page is known only after it was read, so the wait follows the
 * page.
 * @throws the reason of the signal; the SDK's errors
 */
export async function* pacedScan(
  { sender, pace }: ReturnType<typeof pacedSender>,
  signal: AbortSignal | undefined,
  input: ScanCommandInput,
): AsyncGenerator<ScanCommandOutput> {
  let ExclusiveStartKey = input.ExclusiveStartKey
  do {
    signal?.throwIfAborted()
    const command = new ScanCommand({ ...input, ExclusiveStartKey, ReturnConsumedCapacity: 'TOTAL' })
    const page = await sender.answer<ScanCommandOutput>(command, 0)
    yield page
    await pace.take(page.ConsumedCapacity?.CapacityUnits ?? FULL_PAGE_UNITS, signal)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
}
