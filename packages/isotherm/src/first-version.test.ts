import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { warmedUp } from '../test/warmed-up.js'
import { isotherm } from './client/isotherm.js'
import { dynamicShards } from './scaling/shards.js'

type Stored = Readonly<Record<string, AttributeValue>>

/** What the first version stored, written out. Never change it: data like this is in tables. */
const ORDERS: readonly Stored[] = [
  { customer: { S: 'acme' }, order_id: { S: 'order-1' }, paid: { N: '1' } },
  // Marked by a process that ended before it moved the item from shard 1 to shard 7.
  {
    customer: { S: 'acme' },
    order_id: { S: 'order-2' },
    paid: { N: '2' },
    isotherm_moving: { S: '7:12345' },
  },
  {
    customer: { S: 'acme_4' },
    order_id: { S: 'order-4' },
    paid: { N: '4' },
    isotherm_moved: { S: '1:4:678' },
  },
]
const ORDERS_SHARD_MAP: readonly Stored[] = [
  {
    customer: { S: 'acme' },
    number_of_shards: { N: '10' },
    last_updated: { N: '1795305610' },
    shard_history: { SS: ['1795305500:1', '1795305540:4', '1795305600:10'] },
    phase: { S: 'moved' },
    from_shards: { N: '4' },
    to_shards: { N: '10' },
    last_write: { S: '6f1f5b0c-8a3b-4f0e-9a53-0d0f2c3b7a11' },
    heat_offered: { N: '52000' },
    heat_accepted: { N: '31000' },
    heat_samples: { N: '12' },
    heat_items_0: { N: '9000' },
    heat_items_5: { N: '12000' },
    last_growth: { S: '4:10:3900:2100:0' },
    last_busy: { N: '1795305609' },
    found_table_full: { N: '1795305300' },
  },
]

const LOG: readonly Stored[] = [
  {
    file_path: { S: '/sale_2' },
    at: { N: '20' },
    status: { S: 'open' },
    isotherm_by_status: { S: 'open_3' },
  },
  {
    file_path: { S: '/sale_9' },
    at: { N: '10' },
    status: { S: 'open' },
    isotherm_by_status: { S: 'open_1' },
  },
]
const LOG_SHARD_MAP: readonly Stored[] = [
  {
    file_path: { S: '/sale' },
    number_of_shards: { N: '4' },
    last_updated: { N: '1795309300' },
    shard_history: { SS: ['1795305500:1', '1795305600:10', '1795309300:4'] },
    last_write: { S: '0b51c4c2-1a7d-4a50-8f6e-3f5f0a9d8c22' },
    last_busy: { N: '1795305700' },
    last_peak: { S: '1795305700:10' },
    quiet_reads: { N: '6000' },
    quiet_since: { N: '1795305900' },
    quiet_weighed: { N: '4000' },
  },
  {
    file_path: { S: 'isotherm:index:["isotherm_by_status","S","open"]' },
    number_of_shards: { N: '3' },
    last_updated: { N: '1795305700' },
    shard_history: { SS: ['1795305500:1', '1795305700:3'] },
    last_write: { S: '5d9b1c77-6b0e-4d52-a7c1-91e2d3f40a33' },
  },
]

async function withTables(
  run: (client: DynamoDBClient, clock: VirtualClock) => Promise<void>,
): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  await clock.run(async () => {
    const global = { by_status: ['isotherm_by_status', 'at:N'] } as const
    await client.send(createTable('orders', ['customer', 'order_id']))
    await client.send(createTable('orders_shard_map', ['customer']))
    await client.send(createTable('log', ['file_path', 'at:N'], { global }))
    await client.send(createTable('log_shard_map', ['file_path']))
    const tables = {
      orders: ORDERS,
      orders_shard_map: ORDERS_SHARD_MAP,
      log: LOG,
      log_shard_map: LOG_SHARD_MAP,
    }
    for (const [TableName, items] of Object.entries(tables)) {
      for (const Item of items) await client.send(new PutItemCommand({ TableName, Item }))
    }
    await run(client, clock)
  })
  await local.close()
}

const ofKey = (TableName: string, key: string, value: string) => ({
  TableName,
  KeyConditionExpression: '#key = :key',
  ExpressionAttributeNames: { '#key': key },
  ExpressionAttributeValues: { ':key': { S: value } },
})

it('items of a calculated key whose count was changing are found, in order, and the change goes on', () =>
  withTables(async (client, clock) => {
    const keys = { partitionKey: 'customer', sortKey: 'order_id' }
    const orders = { ...keys, suffix: 'calculated', shards: dynamicShards(), adopt: true } as const
    const db = isotherm(client, { tables: { orders }, clock, random: new SeededRandom(2) })

    const { Items = [] } = await db.send(new QueryCommand(ofKey('orders', 'customer', 'acme')))
    expect(Items).toEqual(
      ['1', '2', '4'].map((N) => ({ customer: { S: 'acme' }, order_id: { S: `order-${N}` }, paid: { N } })),
    )

    const Key = { customer: { S: 'acme' }, order_id: { S: 'order-2' } }
    const paying = { UpdateExpression: 'ADD paid :p', ExpressionAttributeValues: { ':p': { N: '40' } } }
    await db.send(new UpdateItemCommand({ TableName: 'orders', Key, ...paying }))
    const moved = { ...Key, customer: { S: 'acme_7' } }
    const { Item } = await client.send(
      new GetItemCommand({ TableName: 'orders', Key: moved, ConsistentRead: true }),
    )
    expect(Item).toEqual({ ...moved, paid: { N: '42' }, isotherm_moved: { S: '1:7:12345' } })

    expect(await db.shards('orders', 'acme').read()).toMatchObject({ shards: 10, phase: 'moved' })
  }))

/** Of format 1, as the first version with cards wrote it. */
const CARD: Stored = {
  customer: { S: 'isotherm:card' },
  format: { N: '1' },
  version: { N: '2' },
  settings: {
    M: {
      partitionKey: { S: 'customer' },
      sortKey: { S: 'order_id' },
      suffix: { S: 'calculated from order_id' },
      delimiter: { S: '_' },
      adopt: { S: 'true' },
      shards: { S: 'dynamicShards' },
      initial: { S: '1' },
    },
  },
  listed_keys: { SS: ['acme'] },
}

it('a card is read, by which a key has the count of its item, and others have the initial count', () =>
  withTables(async (client, clock) => {
    await client.send(new PutItemCommand({ TableName: 'orders_shard_map', Item: CARD }))
    const keys = { partitionKey: 'customer', sortKey: 'order_id' }
    const orders = { ...keys, suffix: 'calculated', shards: dynamicShards(), adopt: true } as const
    const open = (more: object = {}) =>
      isotherm(client, { tables: { orders: { ...orders, ...more } }, clock, random: new SeededRandom(4) })
    const { Items = [] } = await open().send(new QueryCommand(ofKey('orders', 'customer', 'acme')))
    expect(Items).toHaveLength(3)
    const Item = { customer: { S: 'other' }, order_id: { S: 'order-9' } }
    await open().send(new PutItemCommand({ TableName: 'orders', Item }))
    expect((await client.send(new GetItemCommand({ TableName: 'orders', Key: Item }))).Item).toEqual(Item)
    await expect(
      open({ delimiter: '#' }).send(new PutItemCommand({ TableName: 'orders', Item })),
    ).rejects.toMatchObject({ code: 'card.differs' })
  }))

it('items in retired shards of a random key are found, and those in shards of an index', () =>
  withTables(async (client, clock) => {
    const by_status = { partitionKey: 'status', sortKey: 'at', shards: dynamicShards() }
    const keys = { partitionKey: 'file_path', sortKey: 'at' }
    const log = { ...keys, suffix: 'random', shards: dynamicShards(), indexes: { by_status } } as const
    const db = isotherm(client, { tables: { log }, clock, random: new SeededRandom(3) })

    const stored = ['10', '20'].map((N) => ({ file_path: { S: '/sale' }, at: { N }, status: { S: 'open' } }))
    const { Items } = await db.send(new QueryCommand(ofKey('log', 'file_path', '/sale')))
    expect(Items).toEqual(stored)
    const ofIndex = { ...ofKey('log', 'status', 'open'), IndexName: 'by_status' }
    expect((await db.send(new QueryCommand(ofIndex))).Items).toEqual(stored)

    const Key = { file_path: { S: '/sale' }, at: { N: '1e1' } }
    expect((await db.send(new GetItemCommand({ TableName: 'log', Key }))).Item).toEqual(stored[0])
    expect(await db.shards('log', '/sale').read()).toMatchObject({ shards: 4, readableShards: 10 })
  }))
