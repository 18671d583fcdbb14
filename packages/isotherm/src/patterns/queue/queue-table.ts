import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { sparseTable } from '../sparse-table.js'
import { parseQueueOptions, type QueueOptions } from './queue-options.js'

/**
 * The input of a CreateTable request for a queue: an on-demand table and its sparse index, which has keys alone.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example await client.send(new CreateTableCommand(queueTable({ table: 'outbox', partitionKey: 'id' })))
 */
export function queueTable(options: QueueOptions): CreateTableCommandInput {
  const parsed = parseQueueOptions(options)
  return sparseTable({ ...parsed, indexSort: parsed.due })
}
