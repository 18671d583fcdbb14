// Imports the objects of a bucket to a new table with an index, and exports another table, until a test kills it. It prints
// `ready` when both have begun, and then how many items were imported.
//
// Arguments: the data directory, and the directory of buckets.
import { writeSync } from 'node:fs'
import {
  CreateTableCommand,
  DescribeImportCommand,
  ExportTableToPointInTimeCommand,
  ImportTableCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createLocal } from '../dist/index.js'

const [data, buckets] = process.argv.slice(2)
// The parent process may end before it kills this one.
process.stdin.on('end', () => process.exit()).resume()
const client = createLocal({ data, buckets, throttle: false }).client()
const attributes = [
  { AttributeName: 'id', AttributeType: 'S' },
  { AttributeName: 'state', AttributeType: 'S' },
]
const key = (name) => [{ AttributeName: name, KeyType: 'HASH' }]
const table = { BillingMode: 'PAY_PER_REQUEST', KeySchema: key('id') }
const { TableDescription } = await client.send(
  new CreateTableCommand({ ...table, TableName: 'kept', AttributeDefinitions: attributes.slice(0, 1) }),
)
const puts = Array.from({ length: 2_000 }, (_, number) =>
  client.send(new PutItemCommand({ TableName: 'kept', Item: { id: { S: `kept-${number}` } } })),
)
await Promise.all(puts)
const { ImportTableDescription } = await client.send(
  new ImportTableCommand({
    S3BucketSource: { S3Bucket: 'source' },
    InputFormat: 'DYNAMODB_JSON',
    TableCreationParameters: {
      ...table,
      TableName: 'imported',
      AttributeDefinitions: attributes,
      GlobalSecondaryIndexes: [
        { IndexName: 'by-state', KeySchema: key('state'), Projection: { ProjectionType: 'ALL' } },
      ],
    },
  }),
)
await client.send(
  new ExportTableToPointInTimeCommand({ TableArn: TableDescription.TableArn, S3Bucket: 'exports' }),
)
const { ImportArn } = ImportTableDescription
writeSync(1, 'ready\n')
for (;;) {
  const { ImportTableDescription: state } = await client.send(new DescribeImportCommand({ ImportArn }))
  writeSync(1, `${state.ImportedItemCount}\n`)
  // The parent process may be slower than the import.
  if (state.ImportStatus !== 'IN_PROGRESS') break
}
