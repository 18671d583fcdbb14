import { attemptsOf } from '../attempts/summed-metadata.js'
import { concurrently } from '../bounded/concurrently.js'
import type { RequestContext } from '../sdk/request-context.js'
import { throttleOf } from '../sdk/throttle.js'
import { isConflict } from '../sdk/transaction-errors.js'
import { writeItem } from '../writes/write-item.js'
import type { ShardedWriteMember } from './batch-write-plan.js'
import type { BatchWriteResult } from './batch-write-result.js'

/** Writes on their way at once: a batch has 25 members at most, and each may take several requests. */
const WRITES_AT_A_TIME = 8

/**
 * Writes each member by itself, as a single write would be; what is still throttled in the end is left out.
 *
 * After a failure no more is begun, and what was begun is waited for: nothing may be written any more when the caller has
 * been told.
 */
export async function writeSingly(
  members: readonly ShardedWriteMember[],
  { options }: RequestContext,
  result: BatchWriteResult,
): Promise<void> {
  // Middleware for a batch is not made for the input of a single write.
  const context: RequestContext = { options, carryMiddleware: () => {} }
  let failure: { readonly error: unknown } | undefined
  await concurrently(members, WRITES_AT_A_TIME, async (member) => {
    if (failure !== undefined) return
    try {
      const output = await writeItem(member.table, singleWrite(member, result), context)
      result.metadata.add(output.$metadata)
      const { ConsumedCapacity, ItemCollectionMetrics } = output
      result.add(
        ConsumedCapacity === undefined ? undefined : [ConsumedCapacity],
        ItemCollectionMetrics === undefined ? undefined : { [member.tableName]: [ItemCollectionMetrics] },
      )
    } catch (error) {
      if (!isRefusal(error)) {
        failure ??= { error }
        return
      }
      result.metadata.attempts += attemptsOf(error)
      result.leaveOut(member, error)
    }
  })
  if (failure !== undefined) throw failure.error
}

function singleWrite({ tableName, given }: ShardedWriteMember, { asked }: BatchWriteResult) {
  const { PutRequest, DeleteRequest } = given
  return PutRequest === undefined
    ? ({
        operation: 'DeleteItem',
        input: { TableName: tableName, Key: DeleteRequest?.Key, ...asked },
      } as const)
    : ({ operation: 'PutItem', input: { TableName: tableName, Item: PutRequest.Item, ...asked } } as const)
}

/** What a batch tells by leaving the member out. A conflict with a transaction is none of a batch's errors either. */
function isRefusal(error: unknown): error is Error {
  return isConflict(error) || throttleOf(error) !== undefined
}
