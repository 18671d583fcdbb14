import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { requestToken } from '../../../attempts/request-token.js'
import { refusalOf } from '../../refusal.js'
import { sendTransaction } from '../../send-transaction.js'
import type { Sender } from '../../sending/pattern-client.js'
import { untilKnown } from '../../until-known.js'
import type { Patience } from '../../until-taken.js'

/** The default of `lateRequests`. */
const LATE_MILLISECONDS = 5_000

/**
 * Sends a write until it is known what became of it, one attempt at a time: the next one waits until an attempt without an answer can no
 * longer arrive.
 *
 * @throws as `untilKnown`
 */
export function untilSettled<Output>(patience: Patience, attempt: () => Promise<Output>): Promise<Output> {
  return untilKnown(patience, attempt, LATE_MILLISECONDS)
}

/**
 * Carries a transaction out once, or not at all. The condition on the version alone would not do: when somebody else has deleted an item that a
 * first attempt has created, it holds again, and another attempt would bring the item back. So after an attempt without an answer, all others
 * have its token, by which the service knows them.
 *
 * @throws as `untilKnown`
 */
export async function transactOnce(
  patience: Patience,
  db: Sender,
  actions: readonly TransactWriteItem[],
): Promise<void> {
  let token = requestToken(patience.random)
  let isUnanswered = false
  await untilSettled(patience, async () => {
    try {
      await sendTransaction(db, actions, patience.signal, token)
    } catch (error) {
      // The number of shards has changed since, so the same actions are another request. The first one was carried out.
      if (isUnanswered && isOfAnotherRequest(error)) return
      if (refusalOf(error) === undefined) isUnanswered = true
      else if (!isUnanswered) token = requestToken(patience.random)
      throw error
    }
  })
}

function isOfAnotherRequest(error: unknown): boolean {
  return error instanceof Error && error.name === 'IdempotentParameterMismatchException'
}
