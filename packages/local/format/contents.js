import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams'

/** When stored directories are written. */
export const WRITTEN_AT = 1_800_000_000_000
/** When they are opened, a minute later. No record of their streams has expired by then. */
export const OPENED_AT = WRITTEN_AT + 60_000

/**
 * A clock that runs as another one does, from another time on.
 *
 * @param {import('@isotherm/runtime').Clock} clock
 * @param {number} startsAt
 * @returns {import('@isotherm/runtime').Clock}
 */
export function clockFrom(clock, startsAt) {
  const startedAt = clock.now()
  return {
    now: () => startsAt + clock.now() - startedAt,
    sleep: (milliseconds, signal, options) => clock.sleep(milliseconds, signal, options),
  }
}

/**
 * All that the API shows of an engine's tables, as JSON: what a later version has to show of the same directory.
 *
 * @param {import('@aws-sdk/client-dynamodb').DynamoDBClient} client
 * @param {import('@aws-sdk/client-dynamodb-streams').DynamoDBStreamsClient} streams
 */
export async function contentsOf(client, streams) {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}))
  const tables = {}
  for (const TableName of TableNames.sort())
    tables[TableName] = await tableContents(client, streams, TableName)
  return asJson(tables)
}

async function tableContents(client, streams, TableName) {
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }))
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }))
  const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: Table.TableArn }))
  const indexes = [...(Table.GlobalSecondaryIndexes ?? []), ...(Table.LocalSecondaryIndexes ?? [])]
  const items = async (IndexName) => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName, IndexName }))
    return Items.map(asJson).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  const itemsOfIndexes = {}
  for (const { IndexName } of indexes) itemsOfIndexes[IndexName] = await items(IndexName)
  return {
    description: Table,
    timeToLive: TimeToLiveDescription,
    tags: Tags,
    items: await items(),
    indexes: itemsOfIndexes,
    stream: Table.LatestStreamArn === undefined ? [] : await streamRecords(streams, Table.LatestStreamArn),
  }
}

async function streamRecords(streams, StreamArn) {
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
  const records = []
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }
    const { ShardIterator } = await streams.send(new GetShardIteratorCommand(start))
    const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }))
    records.push(...Records)
  }
  return records
}

/** A value as JSON has it, and bytes as base64. */
function asJson(value) {
  const text = JSON.stringify(value, (_, member) =>
    member instanceof Uint8Array ? Buffer.from(member).toString('base64') : member,
  )
  return JSON.parse(text)
}
