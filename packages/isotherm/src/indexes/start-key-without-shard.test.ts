import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermOptions } from '../client/options.js'
import { ensureShardMap } from '../protocol/index.js'
import { type DynamicShards, dynamicShards, type FixedShards, fixedShards } from '../scaling/shards.js'

type TableOptions = IsothermOptions['tables'][string]

const ORDERS = 12
const ORDER_NUMBERS = Array.from({ length: ORDERS }, (_, number) => `o${number + 10}`)

const CREATE_ORDERS = createTable('orders', ['shop', 'order'], {
  global: {
    by_status: ['isotherm_by_status', 'day'],
    by_status_and_shard: { key: { hash: ['status', 'status_shard:N'], range: ['day'] } },
  },
})

const indexesOf = (shards: FixedShards | DynamicShards) => ({
  by_status: { partitionKey: 'status', sortKey: 'day', shards },
  by_status_and_shard: { partitionKey: 'status', sortKey: 'day', shards, shardAttribute: 'status_shard' },
})

const KEY = { partitionKey: 'shop', sortKey: 'order' } as const
const FIXED = indexesOf(fixedShards(4))
const BARE: TableOptions = { ...KEY, indexes: FIXED }

type Attributes = Record<string, AttributeValue>

const orderOf = (order: string, shop = 's_1') => ({
  shop: { S: shop },
  order: { S: order },
  status: { S: 'open' },
  day: { S: `day ${Number(order.slice(1)) % 2}` },
})

interface Fixture {
  readonly open: (options?: TableOptions) => DynamoDBClient
}

async function within(options: TableOptions, work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  let seed = 2
  const open = (orders = options) =>
    isotherm(client, { tables: { orders }, clock, random: new SeededRandom(seed++) })
  await clock.run(async () => {
    await client.send(CREATE_ORDERS)
    await ensureShardMap(client, { table: 'orders', clock })
    await work({ open })
  })
  await local.close()
}

async function fill(db: DynamoDBClient): Promise<void> {
  for (const order of ORDER_NUMBERS) {
    await db.send(new PutItemCommand({ TableName: 'orders', Item: orderOf(order) }))
  }
}

function pageOf(IndexName: string, forward: boolean, ExclusiveStartKey: Attributes | undefined) {
  return new QueryCommand({
    TableName: 'orders',
    IndexName,
    KeyConditionExpression: '#s = :s',
    ExpressionAttributeNames: { '#s': 'status' },
    ExpressionAttributeValues: { ':s': { S: 'open' } },
    ScanIndexForward: forward,
    Limit: 2,
    ...(ExclusiveStartKey && { ExclusiveStartKey }),
  })
}

const ADDED = ['isotherm_by_status', 'status_shard']

function without(names: readonly string[], key: Attributes): Attributes {
  return Object.fromEntries(Object.entries(key).filter(([name]) => !names.includes(name)))
}

/** How a mapper makes the next start key. */
const MAPPERS = {
  'the attributes of a cursor that the model has': ({ cursor }) =>
    cursor && without([...ADDED, 'status'], cursor),
  'a cursor with the key of the index in place of the shard': ({ cursor }) =>
    cursor && { ...without(ADDED, cursor), status: { S: 'open' } },
  'a whole cursor with the key of the index': ({ cursor }) => cursor && { ...cursor, status: { S: 'open' } },
  'the keys of the last item': ({ last }) => last,
} as const satisfies Record<
  string,
  (page: { cursor: Attributes | undefined; last: Attributes | undefined }) => Attributes | undefined
>

async function readPages(
  open: () => DynamoDBClient,
  index: string,
  forward: boolean,
  next: (typeof MAPPERS)[keyof typeof MAPPERS],
): Promise<readonly (string | undefined)[]> {
  const seen: (string | undefined)[] = []
  let start: Attributes | undefined
  for (let page = 0; page < 2 * ORDERS; page++) {
    const { Items = [], LastEvaluatedKey: cursor } = await open().send(pageOf(index, forward, start))
    seen.push(...Items.map(({ order }) => order?.S))
    const item = Items.at(-1)
    const last = item && Object.fromEntries(Object.entries(item).filter(([name]) => name in orderOf('o1')))
    start = next({ cursor, last })
    if (start === undefined) break
  }
  return seen.sort()
}

describe.each([
  ['only the index sharded', BARE],
  ['a calculated suffix', { ...KEY, suffix: 'calculated', shards: fixedShards(3), indexes: FIXED }],
  ['a random suffix', { ...KEY, suffix: 'random', shards: fixedShards(3), indexes: FIXED }],
  ['dynamic counts of the index', { ...KEY, indexes: indexesOf(dynamicShards({ initial: 4 })) }],
] as readonly (readonly [string, TableOptions])[])(
  'a start key of a sharded index, with %s',
  (_with, options) => {
    it.each(
      Object.entries(MAPPERS).flatMap(([name, next]) =>
        ['by_status', 'by_status_and_shard'].map((index) => ({ name, index, next })),
      ),
    )('may be $name, in $index', async ({ index, next }) => {
      await within(options, async ({ open }) => {
        await fill(open())
        for (const forward of [true, false]) {
          expect(await readPages(open, index, forward, next)).toEqual(ORDER_NUMBERS)
        }
      })
    })
  },
)

describe('a start key without the shard', () => {
  it('finds entries that were written with a lower count', async () => {
    await within(BARE, async ({ open }) => {
      await fill(open({ ...KEY, indexes: indexesOf(fixedShards(2)) }))
      for (const forward of [true, false]) {
        const seen = await readPages(open, 'by_status', forward, MAPPERS['the keys of the last item'])
        expect(seen).toEqual(ORDER_NUMBERS)
      }
    })
  })

  it('continues after an item that was deleted, or has left the index', async () => {
    await within(BARE, async ({ open }) => {
      const db = open()
      await fill(db)
      const seen: (string | undefined)[] = []
      let start: Attributes | undefined
      for (let page = 0; page < ORDERS; page++) {
        const { Items = [] } = await db.send(pageOf('by_status', true, start))
        seen.push(...Items.map(({ order }) => order?.S))
        start = Items.at(-1)
        if (start === undefined) break
        const { shop, order } = start as ReturnType<typeof orderOf>
        const done = { ...start, status: { S: 'done' } }
        const change =
          page % 2 === 0
            ? new DeleteItemCommand({ TableName: 'orders', Key: { shop, order } })
            : new PutItemCommand({ TableName: 'orders', Item: done })
        await db.send(change as PutItemCommand)
      }
      expect(seen.sort()).toEqual(ORDER_NUMBERS)
    })
  })

  it.each([
    ['of another value', { ...orderOf('o10'), status: { S: 'done' } }],
    ['without the sort key of the index', without(['day'], orderOf('o10'))],
    ['with another attribute', { ...orderOf('o10'), total: { N: '1' } }],
  ])('%s is refused', async (_which, start) => {
    await within(BARE, async ({ open }) => {
      const db = open()
      await fill(db)
      for (const index of ['by_status', 'by_status_and_shard']) {
        await expect(db.send(pageOf(index, true, start))).rejects.toMatchObject({ code: 'cursor.invalid' })
      }
    })
  })
})
