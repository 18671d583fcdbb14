import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { type RunningProxy, startProxy } from '@isotherm/proxy'
import { dynamicShards, isotherm as library } from 'isotherm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isotherm } from './isotherm.fixture.js'

const local = createLocal({ throttle: false })
let engine = ''
let proxy: RunningProxy

beforeAll(async () => {
  engine = (await local.listen({ port: 0 })).url
  const client = local.client()
  for (const name of ['orders', 'plain']) await client.send(createTable(name, ['pk', 'at']))
  await client.send(createTable('orders_shard_map', ['pk']))
  const orders = {
    partitionKey: 'pk',
    sortKey: 'at',
    suffix: 'random',
    adopt: true,
    shards: dynamicShards(),
  } as const
  const db = library<DynamoDBClient>(client, { tables: { orders } })
  await db.send(new PutItemCommand({ TableName: 'orders', Item: { pk: { S: 'acme' }, at: { S: '1' } } }))
  await db.shards('orders', 'acme').set(4)
  db.destroy()
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  const upstream = new DynamoDBClient({ endpoint: engine, region: 'us-east-1', credentials })
  proxy = await startProxy({ client: upstream, port: 0, tables: { orders } })
})
afterAll(async () => {
  await proxy.stop()
  await local.close()
})

const shardMap = async () =>
  (await local.client().send(new ScanCommand({ TableName: 'orders_shard_map' }))).Items

it.each([
  ['shards', 'rebuild', '--suffix', 'random', '--adopt'],
  ['shards', 'drain', '--key', 'acme', '--to', '1'],
  ['shards', 'show', '--key', 'acme'],
  ['shards', 'set', '--key', 'acme', '--to', '8'],
  ['adopt', '--check'],
  ['migrate', '--to', '3', '--all-keys'],
  ['unshard', '--suffix', 'random', '--adopt', '--to', 'plain'],
])('a proxy is refused, because it shows logical keys: %s %s', async (...command) => {
  const before = await shardMap()
  const { code, err } = await isotherm(...command, '--table', 'orders', '--endpoint', proxy.url)
  expect(err).toBe(
    `isotherm: The endpoint ${proxy.url} is an isotherm proxy, which shows logical keys; this command needs the stored ones. Name the endpoint behind it: --endpoint ${engine}.\n`,
  )
  expect(code).toBe(2)
  expect(await shardMap()).toEqual(before)
})
