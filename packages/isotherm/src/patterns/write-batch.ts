import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { backoffMilliseconds } from '../attempts/backoff.js'
import { originalError, refusalOf } from './refusal.js'
import { send } from './send.js'
import type { Sender } from './sending/pattern-client.js'
import { untilKnown } from './until-known.js'
import type { Patience } from './until-taken.js'

/** Members that BatchWriteItem takes. */
export const MAX_BATCH = 25

/**
 * Sends a batch of writes. Members that are left unprocessed are sent again until the time is up.
 *
 * @returns what is left then, with the throttle if the service gave one
 */
export async function writeBatch(
  db: Sender,
  patience: Patience,
  table: string,
  batch: readonly WriteRequest[],
): Promise<{ readonly left: readonly WriteRequest[]; readonly error?: unknown }> {
  const { clock, random, timeoutMilliseconds } = patience
  const until = clock.now() + timeoutMilliseconds
  let left = batch
  for (let round = 0; ; round++) {
    try {
      const input = { RequestItems: { [table]: [...left] } }
      const rest = { ...patience, timeoutMilliseconds: until - clock.now() }
      const { UnprocessedItems } = await untilKnown(rest, () =>
        send<BatchWriteItemCommandOutput>(db, new BatchWriteItemCommand(input), patience.signal),
      )
      left = UnprocessedItems?.[table] ?? []
    } catch (error) {
      if (refusalOf(error)?.kind !== 'throttled') throw error
      return { left, error: originalError(error) }
    }
    const wait = backoffMilliseconds(random, round)
    if (left.length === 0 || clock.now() + wait > until) return { left }
    await clock.sleep(wait, patience.signal)
  }
}
