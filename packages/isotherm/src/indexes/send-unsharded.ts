import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { SendingTable } from '../attempts/sending-table.js'
import { refuseStatement } from '../errors/refuse.js'
import type { LowLevelRequest } from '../sdk/low-level-request.js'
import type { AnyCommand, SendOptions } from '../sdk/physical-client.js'
import type { TableWithIndexes } from './table-with-indexes.js'

const COMMANDS: Readonly<Record<string, new (input: never) => unknown>> = {
  PutItem: PutItemCommand,
  GetItem: GetItemCommand,
  UpdateItem: UpdateItemCommand,
  DeleteItem: DeleteItemCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  BatchGetItem: BatchGetItemCommand,
  BatchWriteItem: BatchWriteItemCommand,
  TransactGetItems: TransactGetItemsCommand,
  TransactWriteItems: TransactWriteItemsCommand,
}

/**
 * Sends a request for a table that is not sharded but has sharded indexes. It is sent with the SDK's own retries,
 * unless it queries such an index.
 *
 * @param query executes it as a query of a sharded table
 * @throws IsothermError `command.unsupported` for a statement
 */
export async function sendUnsharded(
  table: TableWithIndexes & SendingTable,
  operation: string,
  request: LowLevelRequest,
  options: SendOptions | undefined,
  query: () => Promise<object>,
): Promise<object> {
  const { IndexName } = request.input as Partial<QueryCommandInput>
  const index = operation === 'Query' ? table.indexes.get(IndexName ?? '') : undefined
  if (index?.kind === 'sharded') return query()
  const Command = COMMANDS[operation]
  if (Command === undefined) throw refuseStatement(table.options.name, operation)
  const command = new Command(request.input as never) as AnyCommand
  request.carryMiddleware(command)
  return table.client.send(command as never, options)
}
