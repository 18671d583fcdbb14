import * as sdk from '@aws-sdk/client-dynamodb'
import { type InputDecoder, inputDecoder } from '../wire/input-decoder.js'

/** An operation on items: how its input is decoded, and its command. */
export interface ItemOperation {
  readonly decode: InputDecoder
  command(input: unknown): sdk.GetItemCommand
}

type CommandClass = new (input: never) => object

const COMMANDS: Readonly<Record<string, CommandClass>> = {
  BatchExecuteStatement: sdk.BatchExecuteStatementCommand,
  BatchGetItem: sdk.BatchGetItemCommand,
  BatchWriteItem: sdk.BatchWriteItemCommand,
  DeleteItem: sdk.DeleteItemCommand,
  ExecuteStatement: sdk.ExecuteStatementCommand,
  ExecuteTransaction: sdk.ExecuteTransactionCommand,
  GetItem: sdk.GetItemCommand,
  PutItem: sdk.PutItemCommand,
  Query: sdk.QueryCommand,
  Scan: sdk.ScanCommand,
  SearchVectors: sdk.SearchVectorsCommand,
  TransactGetItems: sdk.TransactGetItemsCommand,
  TransactWriteItems: sdk.TransactWriteItemsCommand,
  UpdateItem: sdk.UpdateItemCommand,
}

/** The place of the input's schema in a command's. */
const INPUT = 4

/**
 * The operations that read or write items, which the library may have to change. All others pass through.
 */
export const ITEM_OPERATIONS: ReadonlyMap<string, ItemOperation> = new Map(
  Object.entries(COMMANDS).map(([name, Command]) => {
    const { schema } = new Command({} as never) as { readonly schema: readonly unknown[] }
    const operation: ItemOperation = {
      decode: inputDecoder(schema[INPUT]),
      command: (input) => new Command(input as never) as sdk.GetItemCommand,
    }
    return [name, operation]
  }),
)
