import {
  describeContinuousBackups,
  describeKinesisStreamingDestination,
  listGlobalTables,
} from './absent-features.js'
import { describeEndpoints, describeLimits } from './account.js'
import { createBackup, deleteBackup, describeBackup, listBackups, restoreTableFromBackup } from './backups.js'
import { batchExecuteStatement } from './batch-execute-statement.js'
import { batchGetItem } from './batch-get-item.js'
import { batchWriteItem } from './batch-write-item.js'
import {
  describeContributorInsights,
  listContributorInsights,
  updateContributorInsights,
} from './contributor-insights.js'
import { createTable } from './create-table.js'
import { deleteItem } from './delete-item.js'
import { deleteTable } from './delete-table.js'
import { describeStream } from './describe-stream.js'
import { describeTable } from './describe-table.js'
import { executeStatement } from './execute-statement.js'
import { executeTransaction } from './execute-transaction.js'
import { describeExport, exportTableToPointInTime, listExports } from './exports.js'
import { getItem } from './get-item.js'
import { getRecords } from './get-records.js'
import { getShardIterator } from './get-shard-iterator.js'
import { describeImport, importTable, listImports } from './imports.js'
import { listStreams } from './list-streams.js'
import { listTables } from './list-tables.js'
import type { Operation } from './operation.js'
import { putItem } from './put-item.js'
import { query } from './query.js'
import { deleteResourcePolicy, getResourcePolicy, putResourcePolicy } from './resource-policies.js'
import { scan } from './scan.js'
import { listTagsOfResource, tagResource, untagResource } from './tags.js'
import { describeTimeToLive, updateTimeToLive } from './time-to-live.js'
import { transactGetItems } from './transact-get-items.js'
import { transactWriteItems } from './transact-write-items.js'
import { updateItem } from './update-item.js'
import { updateTable } from './update-table.js'

/** Every operation of the engine, by its API name. Other names cause an UnknownOperationException. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    BatchExecuteStatement: batchExecuteStatement,
    BatchGetItem: batchGetItem,
    BatchWriteItem: batchWriteItem,
    CreateBackup: createBackup,
    CreateTable: createTable,
    DeleteBackup: deleteBackup,
    DeleteItem: deleteItem,
    DeleteResourcePolicy: deleteResourcePolicy,
    DeleteTable: deleteTable,
    DescribeBackup: describeBackup,
    DescribeContinuousBackups: describeContinuousBackups,
    DescribeContributorInsights: describeContributorInsights,
    DescribeEndpoints: describeEndpoints,
    DescribeExport: describeExport,
    DescribeImport: describeImport,
    DescribeKinesisStreamingDestination: describeKinesisStreamingDestination,
    DescribeLimits: describeLimits,
    DescribeStream: describeStream,
    DescribeTable: describeTable,
    DescribeTimeToLive: describeTimeToLive,
    ExecuteStatement: executeStatement,
    ExecuteTransaction: executeTransaction,
    ExportTableToPointInTime: exportTableToPointInTime,
    GetItem: getItem,
    GetRecords: getRecords,
    GetResourcePolicy: getResourcePolicy,
    GetShardIterator: getShardIterator,
    ImportTable: importTable,
    ListBackups: listBackups,
    ListContributorInsights: listContributorInsights,
    ListExports: listExports,
    ListGlobalTables: listGlobalTables,
    ListImports: listImports,
    ListStreams: listStreams,
    ListTables: listTables,
    ListTagsOfResource: listTagsOfResource,
    PutItem: putItem,
    PutResourcePolicy: putResourcePolicy,
    Query: query,
    RestoreTableFromBackup: restoreTableFromBackup,
    Scan: scan,
    TagResource: tagResource,
    UntagResource: untagResource,
    UpdateContributorInsights: updateContributorInsights,
    TransactGetItems: transactGetItems,
    TransactWriteItems: transactWriteItems,
    UpdateItem: updateItem,
    UpdateTable: updateTable,
    UpdateTimeToLive: updateTimeToLive,
  }),
)
