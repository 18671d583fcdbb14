import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as dynamodb from '@aws-sdk/client-dynamodb'
import * as streams from '@aws-sdk/client-dynamodb-streams'
import { createTable } from '@isotherm/fixtures'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from './local.js'
import { OPERATIONS } from './operations/operations.js'

type Output = Readonly<Record<string, unknown>>

/** The common interface of both clients. */
interface Sender {
  send(command: never): Promise<object>
}

/** Values from earlier responses that later examples need. */
interface Learned {
  tableArn: string
  streamArn: string
  shardId: string
  iterator: string
  backupArn: string
  exportArn: string
  importArn: string
}

/** One request as a user of the SDK writes it, and the minimum content of its response. */
interface Example {
  command(learned: Learned): object
  readonly answer: object
  learn?(output: Output, learned: Learned): void
}

const settings = { region: 'us-west-2', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } }

const TableName = 'ledger'
const key = (account: string) => ({ account: { S: account } })
const at = <T>(value: unknown, ...path: (string | number)[]): T =>
  path.reduce<unknown>((inner, step) => (inner as Output | undefined)?.[step], value) as T

/** Ordered so that each example finds the data it needs. */
const examples: readonly Example[] = [
  {
    // So few units that the table has one partition, and its stream one shard.
    command: () => createTable(TableName, ['account'], { units: 50, stream: 'NEW_AND_OLD_IMAGES' }),
    answer: { TableDescription: { TableName, ItemCount: 0 } },
    learn: (output, learned) => {
      learned.tableArn = at(output, 'TableDescription', 'TableArn')
    },
  },
  {
    command: () => new dynamodb.DescribeTableCommand({ TableName }),
    answer: { Table: { TableStatus: 'ACTIVE', CreationDateTime: expect.any(Date) } },
  },
  { command: () => new dynamodb.ListTablesCommand({}), answer: { TableNames: [TableName] } },
  {
    command: () =>
      new dynamodb.UpdateTableCommand({
        TableName,
        ProvisionedThroughput: { ReadCapacityUnits: 60, WriteCapacityUnits: 50 },
      }),
    answer: { TableDescription: { TableName } },
  },
  {
    command: ({ tableArn }) =>
      new dynamodb.TagResourceCommand({ ResourceArn: tableArn, Tags: [{ Key: 'team', Value: 'money' }] }),
    answer: {},
  },
  {
    command: ({ tableArn }) => new dynamodb.ListTagsOfResourceCommand({ ResourceArn: tableArn }),
    answer: { Tags: [{ Key: 'team', Value: 'money' }] },
  },
  {
    command: ({ tableArn }) =>
      new dynamodb.UntagResourceCommand({ ResourceArn: tableArn, TagKeys: ['team'] }),
    answer: {},
  },
  {
    command: () =>
      new dynamodb.UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
      }),
    answer: { TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true } },
  },
  {
    command: () => new dynamodb.DescribeTimeToLiveCommand({ TableName }),
    answer: { TimeToLiveDescription: { AttributeName: 'expires', TimeToLiveStatus: 'ENABLED' } },
  },
  {
    command: () =>
      new dynamodb.UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: 'ENABLE' }),
    answer: { TableName },
  },
  {
    command: () => new dynamodb.DescribeContributorInsightsCommand({ TableName }),
    answer: { TableName, ContributorInsightsStatus: 'ENABLED' },
  },
  {
    command: () => new dynamodb.ListContributorInsightsCommand({}),
    answer: { ContributorInsightsSummaries: [{ TableName }] },
  },
  {
    command: () => new dynamodb.DescribeLimitsCommand({}),
    answer: { TableMaxReadCapacityUnits: expect.any(Number) },
  },
  { command: () => new dynamodb.DescribeEndpointsCommand({}), answer: { Endpoints: [expect.anything()] } },
  {
    command: () =>
      new dynamodb.PutItemCommand({
        TableName,
        Item: { ...key('ada'), balance: { N: '10' } },
        ReturnConsumedCapacity: 'TOTAL',
      }),
    answer: { ConsumedCapacity: { TableName, CapacityUnits: 1 } },
  },
  {
    command: () => new dynamodb.GetItemCommand({ TableName, Key: key('ada'), ConsistentRead: true }),
    answer: { Item: { account: { S: 'ada' }, balance: { N: '10' } } },
  },
  {
    command: () =>
      new dynamodb.UpdateItemCommand({
        TableName,
        Key: key('ada'),
        UpdateExpression: 'ADD balance :five',
        ExpressionAttributeValues: { ':five': { N: '5' } },
        ReturnValues: 'UPDATED_NEW',
      }),
    answer: { Attributes: { balance: { N: '15' } } },
  },
  {
    command: () =>
      new dynamodb.BatchWriteItemCommand({
        RequestItems: {
          [TableName]: ['bob', 'cleo'].map((account) => ({ PutRequest: { Item: key(account) } })),
        },
      }),
    answer: { UnprocessedItems: {} },
  },
  {
    command: () =>
      new dynamodb.BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [key('bob'), key('dan')] } } }),
    answer: { Responses: { [TableName]: [{ account: { S: 'bob' } }] }, UnprocessedKeys: {} },
  },
  {
    command: () =>
      new dynamodb.QueryCommand({
        TableName,
        KeyConditionExpression: 'account = :account',
        ExpressionAttributeValues: { ':account': { S: 'ada' } },
      }),
    answer: { Count: 1, Items: [{ balance: { N: '15' } }] },
  },
  { command: () => new dynamodb.ScanCommand({ TableName }), answer: { Count: 3, ScannedCount: 3 } },
  {
    command: () =>
      new dynamodb.TransactWriteItemsCommand({
        TransactItems: [
          { Delete: { TableName, Key: key('bob'), ConditionExpression: 'attribute_exists(account)' } },
          { Put: { TableName, Item: key('dan') } },
        ],
      }),
    answer: {},
  },
  {
    command: () =>
      new dynamodb.TransactGetItemsCommand({
        TransactItems: [{ Get: { TableName, Key: key('bob') } }, { Get: { TableName, Key: key('dan') } }],
      }),
    answer: { Responses: [{}, { Item: { account: { S: 'dan' } } }] },
  },
  {
    command: () =>
      new dynamodb.ExecuteStatementCommand({
        Statement: `SELECT balance FROM ${TableName} WHERE account = ?`,
        Parameters: [{ S: 'ada' }],
      }),
    answer: { Items: [{ balance: { N: '15' } }] },
  },
  {
    command: () =>
      new dynamodb.BatchExecuteStatementCommand({
        Statements: [{ Statement: `INSERT INTO ${TableName} VALUE {'account': 'eve'}` }],
      }),
    answer: { Responses: [{ TableName }] },
  },
  {
    command: () =>
      new dynamodb.ExecuteTransactionCommand({
        TransactStatements: [
          { Statement: `UPDATE ${TableName} SET balance = 1 WHERE account = 'eve'` },
          { Statement: `DELETE FROM ${TableName} WHERE account = 'dan'` },
        ],
      }),
    answer: {},
  },
  {
    command: () => new dynamodb.DeleteItemCommand({ TableName, Key: key('eve'), ReturnValues: 'ALL_OLD' }),
    answer: { Attributes: { balance: { N: '1' } } },
  },
  {
    command: () => new streams.ListStreamsCommand({ TableName }),
    answer: { Streams: [{ TableName }] },
    learn: (output, learned) => {
      learned.streamArn = at(output, 'Streams', 0, 'StreamArn')
    },
  },
  {
    command: ({ streamArn }) => new streams.DescribeStreamCommand({ StreamArn: streamArn }),
    answer: { StreamDescription: { StreamStatus: 'ENABLED', Shards: [{ ShardId: expect.any(String) }] } },
    learn: (output, learned) => {
      learned.shardId = at(output, 'StreamDescription', 'Shards', 0, 'ShardId')
    },
  },
  {
    command: ({ streamArn, shardId }) =>
      new streams.GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shardId,
        ShardIteratorType: 'TRIM_HORIZON',
      }),
    answer: { ShardIterator: expect.any(String) },
    learn: (output, learned) => {
      learned.iterator = at(output, 'ShardIterator')
    },
  },
  {
    command: ({ iterator }) => new streams.GetRecordsCommand({ ShardIterator: iterator, Limit: 2 }),
    answer: {
      Records: [
        { eventName: 'INSERT', awsRegion: settings.region, dynamodb: { Keys: key('ada') } },
        { eventName: 'MODIFY', dynamodb: { NewImage: { balance: { N: '15' } } } },
      ],
    },
  },
  {
    command: ({ tableArn }) => new dynamodb.PutResourcePolicyCommand({ ResourceArn: tableArn, Policy: '{}' }),
    answer: { RevisionId: expect.any(String) },
  },
  {
    command: ({ tableArn }) => new dynamodb.GetResourcePolicyCommand({ ResourceArn: tableArn }),
    answer: { Policy: '{}' },
  },
  {
    command: ({ tableArn }) => new dynamodb.DeleteResourcePolicyCommand({ ResourceArn: tableArn }),
    answer: { RevisionId: expect.any(String) },
  },
  {
    command: () => new dynamodb.DescribeContinuousBackupsCommand({ TableName }),
    answer: { ContinuousBackupsDescription: { ContinuousBackupsStatus: 'ENABLED' } },
  },
  {
    command: () => new dynamodb.DescribeKinesisStreamingDestinationCommand({ TableName }),
    answer: { KinesisDataStreamDestinations: [] },
  },
  {
    command: () => new dynamodb.CreateBackupCommand({ TableName, BackupName: 'weekly' }),
    answer: { BackupDetails: { BackupName: 'weekly', BackupCreationDateTime: expect.any(Date) } },
    learn: (output, learned) => {
      learned.backupArn = at(output, 'BackupDetails', 'BackupArn')
    },
  },
  {
    command: ({ backupArn }) => new dynamodb.DescribeBackupCommand({ BackupArn: backupArn }),
    answer: { BackupDescription: { BackupDetails: { BackupStatus: 'AVAILABLE' } } },
  },
  {
    command: () => new dynamodb.ListBackupsCommand({}),
    answer: { BackupSummaries: [{ TableName, BackupName: 'weekly' }] },
  },
  {
    command: ({ backupArn }) =>
      new dynamodb.RestoreTableFromBackupCommand({ TargetTableName: 'restored', BackupArn: backupArn }),
    answer: { TableDescription: { TableName: 'restored', TableStatus: 'CREATING' } },
  },
  {
    command: ({ backupArn }) => new dynamodb.DeleteBackupCommand({ BackupArn: backupArn }),
    answer: { BackupDescription: { BackupDetails: { BackupStatus: 'DELETED' } } },
  },
  {
    command: ({ tableArn }) =>
      new dynamodb.ExportTableToPointInTimeCommand({
        TableArn: tableArn,
        S3Bucket: 'exports',
        ExportTime: new Date(),
      }),
    answer: { ExportDescription: { TableArn: expect.any(String), StartTime: expect.any(Date) } },
    learn: (output, learned) => {
      learned.exportArn = at(output, 'ExportDescription', 'ExportArn')
    },
  },
  {
    command: ({ exportArn }) => new dynamodb.DescribeExportCommand({ ExportArn: exportArn }),
    answer: { ExportDescription: { S3Bucket: 'exports', ExportTime: expect.any(Date) } },
  },
  {
    command: () => new dynamodb.ListExportsCommand({}),
    answer: { ExportSummaries: [{ ExportType: 'FULL_EXPORT' }] },
  },
  {
    command: () =>
      new dynamodb.ImportTableCommand({
        S3BucketSource: { S3Bucket: 'imports' },
        InputFormat: 'DYNAMODB_JSON',
        TableCreationParameters: {
          TableName: 'imported',
          AttributeDefinitions: [{ AttributeName: 'account', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'account', KeyType: 'HASH' }],
          BillingMode: 'PAY_PER_REQUEST',
        },
      }),
    answer: { ImportTableDescription: { ImportStatus: 'IN_PROGRESS', StartTime: expect.any(Date) } },
    learn: (output, learned) => {
      learned.importArn = at(output, 'ImportTableDescription', 'ImportArn')
    },
  },
  {
    command: ({ importArn }) => new dynamodb.DescribeImportCommand({ ImportArn: importArn }),
    answer: { ImportTableDescription: { InputFormat: 'DYNAMODB_JSON', ErrorCount: 0 } },
  },
  {
    command: () => new dynamodb.ListImportsCommand({}),
    answer: { ImportSummaryList: [{ StartTime: expect.any(Date), S3BucketSource: { S3Bucket: 'imports' } }] },
  },
  { command: () => new dynamodb.ListGlobalTablesCommand({}), answer: { GlobalTables: [] } },
  {
    command: () => new dynamodb.DeleteTableCommand({ TableName }),
    answer: { TableDescription: { TableName, TableStatus: 'DELETING' } },
  },
]

const doors = [
  {
    name: 'over HTTP',
    open: async (local: Local) => {
      const { url: endpoint } = await local.listen({ port: 0 })
      return [
        new dynamodb.DynamoDBClient({ ...settings, endpoint }),
        new streams.DynamoDBStreamsClient({ ...settings, endpoint }),
      ] as const
    },
  },
  {
    name: 'in process',
    open: async (local: Local) => {
      return [local.client(), new streams.DynamoDBStreamsClient(local.connection())] as const
    },
  },
]

const operationOf = (command: object) => command.constructor.name.replace(/Command$/, '')
const nothing = (): Learned => ({
  tableArn: '',
  streamArn: '',
  shardId: '',
  iterator: '',
  backupArn: '',
  exportArn: '',
  importArn: '',
})

describe('every operation the engine knows', () => {
  const opened: { destroy(): void }[] = []
  const buckets = mkdtempSync(join(tmpdir(), 'isotherm-operations-'))
  mkdirSync(join(buckets, 'imports'))
  writeFileSync(join(buckets, 'imports', 'data.json'), '{"Item":{"account":{"S":"ada"}}}\n')
  let local: Local | undefined

  afterEach(async () => {
    for (const client of opened.splice(0)) client.destroy()
    await local?.close()
  })
  afterAll(() => rmSync(buckets, { recursive: true }))

  it('has exactly one example here', () => {
    const shown = examples.map((example) => operationOf(example.command(nothing())))
    expect(shown.sort()).toEqual([...OPERATIONS.keys()].sort())
  })

  it.each(doors)("works with the SDK's own clients: $name", async ({ open }) => {
    local = createLocal({ region: settings.region, buckets })
    const [tables, changes] = await open(local)
    opened.push(tables, changes)
    const learned = nothing()
    for (const { command, answer, learn } of examples) {
      const request = command(learned)
      const name = operationOf(request)
      const client: Sender = `${name}Command` in streams ? changes : tables
      const output: Output = { ...(await client.send(request as never)) }
      expect(output, name).toMatchObject({ $metadata: { httpStatusCode: 200 }, ...answer })
      learn?.(output, learned)
    }
  })
})
