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
 * Writes each member to a shard of its key, together with those of unsharded tables.
 *
 * All members whose item may be in one shard only go in one request. Unprocessed members are sent again: with a random suffix to
 * another shard, within the attempts and the time of single writes; with a calculated one by themselves, if the shard
 * count may change. A member whose item must be found is written singly. These are deletes with a random suffix, and
 * items that may be in two shards while a count changes. They are written last, so that the service's errors for other
 * members come first.
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
  const left = await writeTogether(tables, together, context, result)
  await writeSingly([...singly, ...left], context, result)
  return result.output(together.length + singly.length)
}

function requireFewMembers(parts: RequestItems): void {
  const lists = Object.values(parts)
  const count = lists.reduce((sum, { length }) => sum + length, 0)
  if (count <= MAX_BATCH_WRITE_REQUESTS && lists.every(({ length }) => length > 0)) return
  throw validationException(writeCountText(abbreviated(Object.keys(parts))))
}

/** The batch in the form of the service's error, without its requests. */
function abbreviated(tables: readonly string[]): string {
  return `{${tables.map((name) => `${name}=[...]`).join(', ')}}`
}
