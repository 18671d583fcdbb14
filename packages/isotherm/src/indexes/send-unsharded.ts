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
import { batchWriteUnsharded } from './batch-write-unsharded.js'
import type { TableWithIndexes } from './table-with-indexes.js'
import type { ShadowedRequest } from './with-shadow-keys.js'
import { writeUnsharded } from './write-unsharded.js'

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

/** A request for a table that is not sharded but has sharded indexes. */
export interface UnshardedRequest {
  readonly table: TableWithIndexes & SendingTable
  readonly operation: string
  readonly request: LowLevelRequest
  readonly options: SendOptions | undefined
  readonly shadowed: ShadowedRequest
}

/**
 * Sends a request for a table that is not sharded but has sharded indexes. It is sent with the SDK's own retries,
 * unless it queries such an index, or writes items to one whose counts change.
 *
 * @param query executes it as a query of a sharded table
 * @throws IsothermError `command.unsupported` for a statement
 */
export async function sendUnsharded(
  { table, operation, request, options, shadowed }: UnshardedRequest,
  query: () => Promise<object>,
): Promise<object> {
  const { IndexName } = request.input as Partial<QueryCommandInput>
  const index = operation === 'Query' ? table.indexes.get(IndexName ?? '') : undefined
  if (index?.kind === 'sharded') return query()
  const Command = COMMANDS[operation]
  if (Command === undefined) throw refuseStatement(table.options.name, operation)
  const commandOf = (input: object) => new Command(input as never) as AnyCommand
  if (shadowed.choice.hasChosen && operation !== 'TransactWriteItems') {
    const write = { table, request, options, shadowed, commandOf }
    return operation === 'BatchWriteItem' ? batchWriteUnsharded(write) : writeUnsharded(write)
  }
  const command = commandOf(request.input)
  request.carryMiddleware(command)
  return table.client.send(command as never, options)
}
