import type { WriteRequest } from '@aws-sdk/client-dynamodb'
import type { Refusal } from '../attempts/attempt-loop.js'
import { putUnits } from '../writes/item-units.js'
import type { ShardedWriteMember } from './batch-write-plan.js'

/** A member that is not retried, and is returned as unprocessed. */
export interface LeftOut {
  /** The service's error, if there was one. */
  readonly error: Error | undefined
}

/** A member of a sharded table on its way through the requests of a batch. */
export interface MemberInBatch {
  readonly member: ShardedWriteMember
  /** Until when it may be sent to its shard. With a fixed count this is unlimited. */
  readonly validUntil: number
  /** The member in the form sent to the service. */
  readonly request: WriteRequest
  /** Records an attempt that may have succeeded. */
  unanswered(error: unknown): void
  written(): void
  /**
   * Records that the member was not written.
   * @param throttle `undefined` for a member that was left unprocessed
   * @returns `undefined` if it is sent again in a batch; `singly` if it is to be written by itself
   * @throws the error of an attempt without a response, which may have written the member. If the member were returned
   * as unprocessed, the application would write it a second time.
   */
  refused(throttle: Refusal | undefined): Promise<Left | undefined>
  /** Prepares another attempt, because the last one would have been sent after the end of its view. Returns what `refused` returns. */
  lookAgain(): Promise<Left | undefined>
}

/** How a member leaves the batches, if it was not written. */
export type Left = LeftOut | 'singly'

/** The member with the key that it has in the shard. */
export function placedRequest({ table, itemKey, given }: ShardedWriteMember, shard: number): WriteRequest {
  const physical = table.suffix.add(itemKey.logical, shard)
  const key = { [table.options.partitionKey]: { ...physical } }
  const { PutRequest, DeleteRequest } = given
  return PutRequest === undefined
    ? { DeleteRequest: { Key: { ...DeleteRequest?.Key, ...key } } }
    : { PutRequest: { Item: { ...PutRequest.Item, ...key } } }
}

/** The write units of the member, as far as the request shows them. */
export function unitsOf({ given: { PutRequest }, tableName }: ShardedWriteMember): number {
  return PutRequest === undefined ? 1 : putUnits({ TableName: tableName, Item: PutRequest.Item })
}
