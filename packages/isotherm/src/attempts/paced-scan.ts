import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { MoveSender } from './move-sender.js'
import { UnitPace } from './unit-pace.js'

/** What goes through a whole table, slowly. */
export interface PacedWork {
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  readonly unitsPerSecond: number
  readonly signal: AbortSignal | undefined
}

/** Throttles in a row before the work gives up: with its waits, a few minutes. */
const MAX_ATTEMPTS = 30
/** Of an eventually consistent page of a megabyte, where the service does not tell. */
const FULL_PAGE_UNITS = 128

/** A sender that keeps the pace, and the pace itself for what is only known afterwards. */
export function pacedSender({ client, clock, random, unitsPerSecond, signal }: PacedWork) {
  const pace = new UnitPace(clock, unitsPerSecond)
  const sender = new MoveSender({ client, clock, random }, { maxAttempts: MAX_ATTEMPTS, pace, signal })
  return { sender, pace }
}

/**
 * The pages of a scan, no faster than the pace: what a page took is known when it is there, so the next one waits for it.
 * @throws the signal's reason; the SDK's own errors
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
