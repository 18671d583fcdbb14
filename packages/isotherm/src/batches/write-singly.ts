import { attemptsOf } from '../attempts/summed-metadata.js'
import { concurrently } from '../bounded/concurrently.js'
import type { RequestContext } from '../sdk/request-context.js'
import { isConflict } from '../sdk/transaction-errors.js'
import { writeItem } from '../writes/write-item.js'
import type { ShardedWriteMember } from './batch-write-plan.js'
import type { BatchWriteResult } from './batch-write-result.js'
import { refusalOf } from './refusal-of.js'

/** The most members of a batch, so all are written at once: what waited in this process would be missing from the heat of its key. */
const WRITES_AT_A_TIME = 25

/**
 * Writes each member like a single write. Members that are finally throttled are left unprocessed.
 *
 * After a failure, the other writes are awaited, because nothing may be written after the caller has received the error.
 */
export async function writeSingly(
  members: readonly ShardedWriteMember[],
  { options }: RequestContext,
  result: BatchWriteResult,
): Promise<void> {
  // The middleware of a batch command does not fit the input of a single write.
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

/** The errors that a batch reports as unprocessed members. A batch has no error for a conflict with a transaction. */
function isRefusal(error: unknown): error is Error {
  return isConflict(error) || refusalOf(error) !== undefined
}
