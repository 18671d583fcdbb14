import type {
  BatchWriteItemCommandInput,
  BatchWriteItemCommandOutput,
  WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { MAX_BATCH_WRITE_REQUESTS, writeCountText } from '@isotherm/semantics'
import { contextOf } from '../sdk/request-context.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import { validationException } from '../sdk/validation-exception.js'
import type { WrittenTable } from '../writes/written-table.js'
import { planBatch } from './batch-write-plan.js'
import { BatchWriteResult } from './batch-write-result.js'
import { writeSingly } from './write-singly.js'
import { writeTogether } from './write-together.js'

type RequestItems = Readonly<Record<string, readonly WriteRequest[]>>

/**
 * Writes each member to a shard of its key, those of tables that are not sharded along with them.
 *
 * What can be written without a condition goes in one request. Members that the service leaves unprocessed are sent again:
 * with a random suffix to another shard, within the attempts and the time of single writes. A member that needs its item found
 * or needs a condition, which a batch cannot carry, is written by itself: deletions with a random suffix, and
 * all of a calculated one whose count may change. Those go last, so that what the service finds wrong with the
 * others is told before.
 */
export async function batchWriteItem({
  tables,
  request,
  options,
}: TakenCommand<WrittenTable>): Promise<BatchWriteItemCommandOutput> {
  const input = request.input as unknown as BatchWriteItemCommandInput
  const parts = input.RequestItems ?? {}
  requireFewMembers(parts)
  const { together, singly } = planBatch(tables, parts)
  const result = new BatchWriteResult(input)
  const context = contextOf(request, options)
  await writeTogether(tables, together, context, result)
  await writeSingly(singly, context, result)
  return result.output(together.length + singly.length)
}

function requireFewMembers(parts: RequestItems): void {
  const lists = Object.values(parts)
  const count = lists.reduce((sum, { length }) => sum + length, 0)
  if (count <= MAX_BATCH_WRITE_REQUESTS && lists.every(({ length }) => length > 0)) return
  throw validationException(writeCountText(Object.keys(parts)))
}
