import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { dynamicShards, ensureShardMap, type IsothermMethods, isotherm } from 'isotherm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SETTINGS, type Served, serveProxy } from '../proxy.fixture.js'
import { type RunningProxy, startProxy } from '../start-proxy.js'

const VOTES = { partitionKey: 'doc', sortKey: 'seq', suffix: 'random', shards: dynamicShards() } as const
const TABLES = { votes: VOTES, clicks: { ...VOTES, shardMap: 'counts' } } as const
const item = (doc: string) => ({ doc: { S: doc }, seq: { N: '1' } })

let served: Served
let second: RunningProxy
let library: DynamoDBClient & IsothermMethods

beforeAll(async () => {
  served = await serveProxy({ tables: TABLES })
  for (const table of ['votes', 'clicks']) await served.direct.send(createTable(table, ['doc', 'seq:N']))
  await ensureShardMap(served.direct, { table: 'votes' })
  await ensureShardMap(served.direct, { table: 'clicks', shardMap: 'counts' })
  second = await startProxy({
    client: new DynamoDBClient({ ...SETTINGS, endpoint: served.url }),
    port: 0,
    tables: TABLES,
  })
  library = isotherm<DynamoDBClient>(new DynamoDBClient({ ...SETTINGS, endpoint: served.url }), {
    tables: TABLES,
  })
})
afterAll(async () => {
  library.destroy()
  await second.stop()
  await served.stop()
})

const refusal = (table: string) =>
  `isotherm: ${table} is sharded by this proxy already, and a client with the library would add a second suffix to its keys. Give it the endpoint behind the proxy: ${served.upstreamUrl}.`
const stored = async (TableName: string) =>
  (await served.direct.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items

it.each(['votes', 'clicks'])(
  'refuses a process of the library, and another proxy, before they write to %s',
  async (TableName) => {
    const overSecond = new DynamoDBClient({ ...SETTINGS, endpoint: second.url })
    for (const client of [library, overSecond]) {
      const put = client.send(new PutItemCommand({ TableName, Item: item('sale') }))
      await expect(put).rejects.toMatchObject({ name: 'ValidationException', message: refusal(TableName) })
      const query = client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'doc = :d',
          ExpressionAttributeValues: { ':d': { S: 'sale' } },
        }),
      )
      await expect(query).rejects.toThrow(refusal(TableName))
    }
    overSecond.destroy()
    expect(await stored(TableName)).toEqual([])
  },
)

it('serves its own callers, also items of the shard map that are not its card', async () => {
  await served.client.send(new PutItemCommand({ TableName: 'votes', Item: item('sale') }))
  expect(await stored('votes')).toHaveLength(1)
  const { $metadata } = await served.client.send(
    new GetItemCommand({ TableName: 'votes_shard_map', Key: { doc: { S: 'sale' } } }),
  )
  expect($metadata.httpStatusCode).toBe(200)
})
