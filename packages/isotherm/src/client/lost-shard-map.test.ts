import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  paginateQuery,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { CARD_KEY } from '../protocol/index.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'

const TableName = 'orders'
const shardMap = 'orders_shard_map'
const keys = { partitionKey: 'customer', sortKey: 'order_id' } as const
const COUNT = 40

const item = (at: number) => ({
  customer: { S: 'acme' },
  order_id: { S: `order-${100 + at}` },
  status: { S: 'open' },
})
const ofKey = {
  TableName,
  KeyConditionExpression: 'customer = :c',
  ExpressionAttributeValues: { ':c': { S: 'acme' } },
  ConsistentRead: true,
}
const ofStatus = {
  TableName,
  IndexName: 'by_status',
  KeyConditionExpression: '#s = :s',
  ExpressionAttributeNames: { '#s': 'status' },
  ExpressionAttributeValues: { ':s': { S: 'open' } },
}

/** An item of the shard map as the page says, from the numbers at the ends of stored keys. */
function restored(key: string, stored: readonly (AttributeValue | undefined)[], seconds: number) {
  const highest = Math.max(...stored.map((value) => Number(/_(\d+)$/.exec(value?.S ?? '')?.[1] ?? 1)))
  return {
    customer: { S: key },
    number_of_shards: { N: String(highest) },
    last_updated: { N: String(seconds) },
    shard_history: { SS: [`${seconds}:${highest}`] },
  }
}

it.each(['random', 'calculated'] as const)(
  'with a suffix %s, a lost shard map can be written again as docs/production.md says',
  async (suffix) => {
    const clock = new VirtualClock()
    const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
    const client = await warmedUp(local.client())
    await clock.run(async () => {
      const global = { by_status: ['isotherm_by_status'] } as const
      await client.send(createTable('orders', ['customer', 'order_id'], { global }))
      await ensureShardMap(client, { table: 'orders', clock })
      const by_status = { partitionKey: 'status', shards: dynamicShards() }
      const process = (seed: number) =>
        isotherm(client, {
          tables: { orders: { ...keys, suffix, shards: dynamicShards(), indexes: { by_status } } },
          clock,
          random: new SeededRandom(seed),
        })
      const before = process(2)
      await before.shards('orders', 'acme').set(7)
      await before.shards('orders', 'acme').drain()
      await before.shards('orders', 'open', { index: 'by_status' }).set(5)
      for (let at = 0; at < COUNT; at++) await before.send(new PutItemCommand({ TableName, Item: item(at) }))

      const { Items: lost = [] } = await client.send(new ScanCommand({ TableName: shardMap }))
      for (const { customer } of lost) {
        await client.send(
          new DeleteItemCommand({ TableName: shardMap, Key: { customer: customer ?? { S: '' } } }),
        )
      }
      // Items above the initial count show that the shard map was lost.
      await expect(process(3).send(new QueryCommand(ofKey))).rejects.toMatchObject({
        code: 'items.elsewhere',
      })

      const { Items: stored = [] } = await client.send(new ScanCommand({ TableName }))
      const seconds = Math.floor(clock.now() / 1_000)
      const index = 'isotherm:index:["isotherm_by_status","S","open"]'
      for (const Item of [
        restored(
          'acme',
          stored.map(({ customer }) => customer),
          seconds,
        ),
        restored(
          index,
          stored.map(({ isotherm_by_status }) => isotherm_by_status),
          seconds,
        ),
      ]) {
        await client.send(new PutItemCommand({ TableName: shardMap, Item }))
      }
      await client.send(new DeleteItemCommand({ TableName: shardMap, Key: { customer: { S: CARD_KEY } } }))
      const after = process(4)
      const expected = Array.from({ length: COUNT }, (_, at) => item(at))
      expect((await after.send(new QueryCommand(ofKey))).Items).toEqual(expected)
      const ofIndex = []
      for await (const { Items = [] } of paginateQuery({ client: after }, ofStatus)) ofIndex.push(...Items)
      expect(ofIndex).toHaveLength(COUNT)
    })
    await local.close()
  },
)
