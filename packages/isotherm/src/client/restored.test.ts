import {
  type AttributeValue,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { scanned } from '../../test/sharded-engine.js'
import { warmedUp } from '../../test/warmed-up.js'
import { CARD_KEY } from '../protocol/index.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'
import { rebuildShardMap } from './rebuild-shard-map.js'

const keys = { partitionKey: 'customer', sortKey: 'order_id' } as const
const ITEMS = 80
type Suffix = 'random' | 'calculated'
type Backup = readonly Record<string, AttributeValue>[]

const item = (at: number) => ({ customer: { S: 'acme' }, order_id: { S: `order-${1_000 + at}` } })

interface World {
  readonly clock: VirtualClock
  readonly client: DynamoDBClient
  open(table: string): ReturnType<typeof isotherm<DynamoDBClient>>
  restore(name: string, backup: Backup): Promise<void>
  rebuild(table: string): ReturnType<typeof rebuildShardMap>
  readonly before: { readonly table: Backup; readonly shardMap: Backup }
  readonly moving: { readonly table: Backup; readonly shardMap: Backup }
}

/** A table `orders`, whose key `acme` went from 2 to 8 shards, with backups from before that and from while items moved. */
async function within(suffix: Suffix, work: (world: World) => Promise<void>): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  let seed = 10
  const sharding = { ...keys, suffix, shards: dynamicShards() }
  const open = (table: string) =>
    isotherm(client, { tables: { [table]: sharding }, clock, random: new SeededRandom(seed++) })
  const restore = async (name: string, backup: Backup) => {
    await client.send(createTable(name, name.endsWith('map') ? ['customer'] : ['customer', 'order_id']))
    for (const Item of backup) await client.send(new PutItemCommand({ TableName: name, Item }))
  }
  const backup = async () => ({
    table: await scanned(client, 'orders'),
    shardMap: await scanned(client, 'orders_shard_map'),
  })
  await clock.run(async () => {
    await client.send(createTable('orders', ['customer', 'order_id']))
    await ensureShardMap(client, { table: 'orders', clock })
    const db = open('orders')
    await db.shards('orders', 'acme').set(2)
    await db.shards('orders', 'acme').drain()
    for (let at = 0; at < ITEMS; at++) {
      await db.send(new PutItemCommand({ TableName: 'orders', Item: item(at) }))
    }
    const before = await backup()
    let moving = before
    let moves = 0
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'TransactWriteItemsCommand' && ++moves === 20) moving = await backup()
          return next(args)
        },
      { step: 'initialize', name: 'backup' },
    )
    await db.shards('orders', 'acme').set(8)
    if (suffix === 'random') await db.shards('orders', 'acme').set(1)
    await clock.sleep(120_000)
    client.middlewareStack.remove('backup')
    expect(moves).toBeGreaterThan(20)
    db.destroy()
    const rebuild = (table: string) =>
      rebuildShardMap(client, { table, options: sharding, clock, unitsPerSecond: 10_000 })
    await work({ clock, client, open, restore, rebuild, before, moving })
  })
  await local.close()
}

async function expectAll(db: ReturnType<World['open']>, TableName: string): Promise<void> {
  const { Items = [] } = await db.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'customer = :c',
      ExpressionAttributeValues: { ':c': { S: 'acme' } },
      ConsistentRead: true,
    }),
  )
  expect(Items).toEqual(Array.from({ length: ITEMS }, (_, at) => item(at)))
}

const FOREIGN = { code: 'card.foreign' }

describe.each<Suffix>(['random', 'calculated'])('a table with a suffix %s', (suffix) => {
  it('and its shard map, restored to the same second while items moved, work under their new names', () =>
    within(suffix, async ({ clock, client, open, restore, moving }) => {
      await restore('orders_2', moving.table)
      await restore('orders_2_shard_map', moving.shardMap)
      await expect(expectAll(open('orders_2'), 'orders_2')).rejects.toMatchObject(FOREIGN)
      await client.send(
        new UpdateItemCommand({
          TableName: 'orders_2_shard_map',
          Key: { customer: { S: CARD_KEY } },
          UpdateExpression: 'SET table_name = :table, shard_map_name = :map ADD version :one',
          ExpressionAttributeValues: {
            ':table': { S: 'orders_2' },
            ':map': { S: 'orders_2_shard_map' },
            ':one': { N: '1' },
          },
        }),
      )
      const db = open('orders_2')
      await expectAll(db, 'orders_2')
      for (let minute = 0; minute < 10; minute++) {
        await clock.sleep(60_000)
        await expectAll(db, 'orders_2')
      }
      expect(await db.shards('orders_2', 'acme').read()).toMatchObject({ phase: 'settled' })
      await expectAll(open('orders_2'), 'orders_2')
    }))

  it.each([
    ['before its shard map', 'before', 'moving'],
    ['after its shard map', 'moving', 'before'],
  ] as const)(
    'that was restored to a time %s is refused, and works after a rebuild',
    (_what, table, shardMap) =>
      within(suffix, async ({ open, restore, rebuild, clock, ...backups }) => {
        await restore('orders_2', backups[table].table)
        await restore('orders_2_shard_map', backups[shardMap].shardMap)
        await expect(expectAll(open('orders_2'), 'orders_2')).rejects.toMatchObject(FOREIGN)
        expect(await rebuild('orders_2')).toMatchObject({ isRebuilt: true, unexplained: 0 })
        const db = open('orders_2')
        await expectAll(db, 'orders_2')
        await db.shards('orders_2', 'acme').drain()
        await clock.sleep(60_000)
        await expectAll(open('orders_2'), 'orders_2')
      }),
  )
})
