import {
  type AttributeValue,
  DynamoDBClient,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as SdkRecord,
} from '@aws-sdk/client-dynamodb-streams'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { expect, it } from 'vitest'
import { isotherm } from '../client/isotherm.js'
import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import { fixedShards } from '../scaling/shards.js'
import { logicalRecord } from './logical-record.js'

const options = { partitionKey: 'file', sortKey: 'at', suffix: 'random', shards: fixedShards(5) } as const

async function recordsOf(streams: DynamoDBStreamsClient, StreamArn: string): Promise<readonly SdkRecord[]> {
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
  const records: SdkRecord[] = []
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    )
    const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }))
    records.push(...Records)
  }
  return records
}

it('a consumer of the stream sees each item once, under its logical key, though it was moved in between', async () => {
  const local = createLocal({ throttle: false })
  const { url } = await local.listen({ port: 0 })
  const settings = {
    endpoint: url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  }
  const client = new DynamoDBClient(settings)
  const streams = new DynamoDBStreamsClient(settings)
  try {
    const { TableDescription } = await client.send(
      createTable('log', ['file', 'at:N'], { stream: 'NEW_AND_OLD_IMAGES' }),
    )
    const db = isotherm(DynamoDBDocumentClient.from(client), { tables: { log: options } })
    for (let at = 0; at < 20; at++) {
      await db.send(new PutCommand({ TableName: 'log', Item: { file: '/a', at, text: `written ${at}` } }))
    }
    const source = { file: { S: '/a_6' }, at: { N: '99' } }
    const target = { ...source, file: { S: '/a_1' } }
    await moveItem(client, source, target)
    const records = await recordsOf(streams, TableDescription?.LatestStreamArn ?? '')
    const logical = records.map((record) => logicalRecord(record, options))
    expect(
      logical
        .filter(({ cause }) => cause === 'move')
        .map(({ eventName }) => eventName)
        .sort(),
    ).toEqual(['INSERT', 'MODIFY', 'REMOVE'])
    const seen = logical.filter(({ cause }) => cause === 'application')
    expect(seen).toHaveLength(21)
    for (const { dynamodb, shard } of seen) {
      expect(dynamodb?.Keys?.file).toEqual({ S: '/a' })
      expect(shard).toBeGreaterThanOrEqual(1)
    }
    expect(new Set(seen.map(({ dynamodb }) => dynamodb?.Keys?.at?.N)).size).toBe(21)
  } finally {
    streams.destroy()
    client.destroy()
    await local.close()
  }
})

/** Performs the requests of a move. The item is written first, as by an application. */
async function moveItem(client: DynamoDBClient, source: StoredKey, target: StoredKey): Promise<void> {
  const set = (name: string, value: AttributeValue) =>
    client.send(
      new UpdateItemCommand({
        TableName: 'log',
        Key: source,
        UpdateExpression: 'SET #name = :value',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: { ':value': value },
      }),
    )
  await set('number', { N: '1' })
  await set(MOVE_ATTRIBUTES.moving, { S: '1:7' })
  const Item = { ...target, number: { N: '1' }, [MOVE_ATTRIBUTES.moved]: { S: '6:1:7' } }
  await client.send(
    new TransactWriteItemsCommand({
      TransactItems: [{ Delete: { TableName: 'log', Key: source } }, { Put: { TableName: 'log', Item } }],
    }),
  )
}

interface StoredKey {
  readonly [name: string]: { readonly S: string } | { readonly N: string }
  readonly file: { readonly S: string }
  readonly at: { readonly N: string }
}
