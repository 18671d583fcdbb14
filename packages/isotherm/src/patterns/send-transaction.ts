import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { send } from './send.js'
import type { Sender } from './sending/pattern-client.js'

/**
 * Sends one attempt of a transaction of a pattern. Most have no idempotency token of the pattern: before the next attempt the client may place an
 * item, or its entry in an index, in another shard, and the service refuses a token that comes with another request. The
 * retries within an attempt have one token, of the client or of the SDK. So each transaction needs a condition that no longer holds once it was
 * carried out, or a token.
 */
export function sendTransaction(
  db: Sender,
  TransactItems: readonly TransactWriteItem[],
  abortSignal?: AbortSignal,
  ClientRequestToken?: string,
): Promise<unknown> {
  const input = { TransactItems: [...TransactItems], ...(ClientRequestToken && { ClientRequestToken }) }
  return send(db, new TransactWriteItemsCommand(input), abortSignal)
}
