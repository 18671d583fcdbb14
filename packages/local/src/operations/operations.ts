import { batchExecuteStatement } from './batch-execute-statement.js'
import { batchGetItem } from './batch-get-item.js'
import { batchWriteItem } from './batch-write-item.js'
import { createTable } from './create-table.js'
import { deleteItem } from './delete-item.js'
import { deleteTable } from './delete-table.js'
import { describeTable } from './describe-table.js'
import { executeStatement } from './execute-statement.js'
import { getItem } from './get-item.js'
import { listTables } from './list-tables.js'
import type { Operation } from './operation.js'
import { putItem } from './put-item.js'
import { query } from './query.js'
import { scan } from './scan.js'
import { updateItem } from './update-item.js'
import { updateTable } from './update-table.js'

/** Everything the engine can do, by the API's own names. What is not here is an UnknownOperationException. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    BatchExecuteStatement: batchExecuteStatement,
    BatchGetItem: batchGetItem,
    BatchWriteItem: batchWriteItem,
    CreateTable: createTable,
    DeleteItem: deleteItem,
    DeleteTable: deleteTable,
    DescribeTable: describeTable,
    ExecuteStatement: executeStatement,
    GetItem: getItem,
    ListTables: listTables,
    PutItem: putItem,
    Query: query,
    Scan: scan,
    UpdateItem: updateItem,
    UpdateTable: updateTable,
  }),
)
