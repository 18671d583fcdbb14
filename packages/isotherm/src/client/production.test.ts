import { readFileSync } from 'node:fs'
import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = textOf('../../docs/production.md')

/** The names in the first column of the page's tables. */
const named = new Set(
  [...page.matchAll(/^\| ((?:`[\w.-]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w.-]+)`/g)].map(([, name = '']) => name),
  ),
)

it('the runbook has every event, every task that can fail, and every error code', () => {
  const events = textOf('src/events/event.ts')
  const types = [...events.matchAll(/readonly type: '([\w-]+)'/g)].map(([, type = '']) => type)
  const tasks = /readonly task:([^r]|r(?!eadonly))*/.exec(events)?.[0].match(/'[\w-]+'/g) ?? []
  const codes = [...textOf('ERRORS.md').matchAll(/^## (\S+)$/gm)].map(([, code = '']) => code)
  expect([types.length > 10, tasks.length > 5, codes.length > 20]).toEqual([true, true, true])
  const all = [...types, ...tasks.map((task) => task.slice(1, -1)), ...codes]
  expect(all.filter((name) => !named.has(name))).toEqual([])
})

const TableName = 'orders'
const keys = { partitionKey: 'customer', sortKey: 'order_id' } as const
const item = (customer: string, at: number) => ({
  customer: { S: customer },
  order_id: { S: `order-${100 + at}` },
  paid: { N: String(at) },
})
const ofKey = (customer: string) =>
  new QueryCommand({
    TableName,
    KeyConditionExpression: 'customer = :c',
    ExpressionAttributeValues: { ':c': { S: customer } },
    ConsistentRead: true,
  })

it.each(['calculated', 'random'] as const)(
  'a table with a suffix %s is plain again after it was taken out',
  async (suffix) => {
    const clock = new VirtualClock()
    const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
    const client = await warmedUp(local.client())
    const customers = ['acme', 'small', 'leaving']
    await clock.run(async () => {
      await client.send(createTable('orders', ['customer', 'order_id']))
      await ensureShardMap(client, { table: 'orders', clock })
      for (const each of customers) await client.send(new PutItemCommand({ TableName, Item: item(each, 0) }))
      const process = (seed: number) =>
        isotherm(client, {
          tables: { orders: { ...keys, suffix, shards: dynamicShards({ max: 1 }), adopt: true } },
          clock,
          random: new SeededRandom(seed),
        })
      const db = process(2)
      await db.shards('orders', 'acme').set(6)
      await db.shards('orders', 'acme').drain()
      for (let at = 1; at <= 20; at++) {
        for (const each of customers) await db.send(new PutItemCommand({ TableName, Item: item(each, at) }))
      }
      // The migration meets a change that is under way.
      await db.shards('orders', 'leaving').set(3)
      expect((await client.send(ofKey('acme'))).Items?.length).toBeLessThan(21)

      const other = process(3)
      const takenOut = { outcome: 'settled', ownCounts: 0 }
      expect(await other.migrate('orders', { initial: 1, keys: 'all' })).toMatchObject(takenOut)

      for (const each of customers) {
        const { Items = [] } = await client.send(ofKey(each))
        const shown = Items.map(({ isotherm_moved: _mark, ...rest }) => rest)
        expect(shown).toEqual(Array.from({ length: 21 }, (_, at) => item(each, at)))
      }
    })
    await local.close()
  },
)
