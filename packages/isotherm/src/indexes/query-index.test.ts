import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import { fixedShards } from '../scaling/shards.js'

const STATUS_SHARDS = 4

const CREATE_ORDERS = createTable('orders', ['shop', 'order'], {
  local: { by_total: { sort: 'total:N', projected: 'KEYS_ONLY' } },
  global: {
    copy: ['shop', 'order'],
    by_customer: ['customer', 'order'],
    inverted: ['order', 'shop'],
    by_status: ['isotherm_by_status', 'day'],
    by_status_and_shard: { key: { hash: ['status', 'status_shard:N'], range: ['day'] } },
  },
})

const OPTIONS: ShardedTableOptions = {
  partitionKey: 'shop',
  sortKey: 'order',
  suffix: 'random',
  shards: fixedShards(3),
  indexes: {
    by_total: { sortKey: 'total' },
    by_status: { partitionKey: 'status', sortKey: 'day', shards: fixedShards(STATUS_SHARDS) },
    by_status_and_shard: {
      partitionKey: 'status',
      sortKey: 'day',
      shards: fixedShards(STATUS_SHARDS),
      shardAttribute: 'status_shard',
    },
  },
}

/** Orders in their stored form, including shadow keys. Many have the same day, total and customer. */
function storedOrder(number: number) {
  const status = number % 5 === 0 ? 'closed' : 'open'
  const shard = 1 + ((number * 7) % STATUS_SHARDS)
  return {
    shop: { S: `s_${1 + ((number * 5) % 3)}` },
    order: { S: `o${String(number).padStart(3, '0')}` },
    customer: { S: `c${number % 3}` },
    total: { N: String(number % 6) },
    status: { S: status },
    day: { S: `day ${number % 4}` },
    isotherm_by_status: { S: `${status}_${shard}` },
    status_shard: { N: String(shard) },
  }
}

const ORDERS = 60

async function withOrders(
  run: (db: DynamoDBClient, client: DynamoDBClient) => Promise<void>,
  options: Partial<ShardedTableOptions> = {},
): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const db = isotherm(client, {
    tables: { orders: { ...OPTIONS, ...options } },
    clock,
    random: new SeededRandom(2),
  })
  await clock.run(async () => {
    await client.send(CREATE_ORDERS)
    for (let number = 0; number < ORDERS; number++) {
      await client.send(new PutItemCommand({ TableName: 'orders', Item: storedOrder(number) }))
    }
    await run(db, client)
  })
  await local.close()
}

/** Pupils of grade 1, in an index by that number and a shard. */
async function withGrades(run: (db: DynamoDBClient) => Promise<void>): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const index = {
    partitionKey: 'grade',
    sortKey: 'day',
    shards: fixedShards(3),
    shardAttribute: 'grade_shard',
  }
  const tables = { pupils: { partitionKey: 'id', indexes: { by_grade: index } } }
  const db = isotherm(client, { tables, clock, random: new SeededRandom(2) })
  await clock.run(async () => {
    await client.send(
      createTable('pupils', ['id'], {
        global: { by_grade: { key: { hash: ['grade:N', 'grade_shard:N'], range: ['day:N'] } } },
      }),
    )
    for (let day = 0; day < 6; day++) {
      const Item = { id: { S: `pupil ${day}` }, grade: { N: '1' }, day: { N: String(day) } }
      await db.send(new PutItemCommand({ TableName: 'pupils', Item }))
    }
    await run(db)
  })
  await local.close()
}

const inputOf = (
  condition: string,
  value: string,
  more: Partial<QueryCommandInput> = {},
): QueryCommandInput => ({
  TableName: 'orders',
  KeyConditionExpression: condition,
  ...more,
  ExpressionAttributeValues: { ':v': { S: value }, ...more.ExpressionAttributeValues },
})

async function allPages(db: DynamoDBClient, input: QueryCommandInput): Promise<QueryCommandOutput[]> {
  const pages: QueryCommandOutput[] = []
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey']
  do {
    const start = ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }
    const page: QueryCommandOutput = await db.send(new QueryCommand({ ...input, ...start }))
    pages.push(page)
    ExclusiveStartKey = page.LastEvaluatedKey
    if (pages.length > 2 * ORDERS) throw new Error('the query does not end')
  } while (ExclusiveStartKey !== undefined)
  return pages
}

const itemsOf = (pages: readonly QueryCommandOutput[]) => pages.flatMap(({ Items = [] }) => Items)
const textsOf = (pages: readonly QueryCommandOutput[], attribute: string) =>
  itemsOf(pages).map((item) => item[attribute]?.S ?? item[attribute]?.N)
const numbers = Array.from({ length: ORDERS }, (_, number) => number)

describe('a query of an index with the shard in its key', () => {
  it.each(['by_status', 'by_status_and_shard'])(
    '%s returns every item once, in order, in pages of any size',
    async (index) => {
      await withOrders(async (db) => {
        const open = numbers.filter((number) => number % 5 !== 0)
        for (const forward of [true, false]) {
          for (const Limit of [1, 4, 7, 100]) {
            const pages = await allPages(
              db,
              inputOf('#s = :v', 'open', {
                IndexName: index,
                Limit,
                ScanIndexForward: forward,
                ExpressionAttributeNames: { '#s': 'status' },
              }),
            )
            const orders = textsOf(pages, 'order')
            expect(orders.toSorted()).toEqual(open.map((number) => storedOrder(number).order.S))
            const days = textsOf(pages, 'day')
            expect(days).toEqual(forward ? days.toSorted() : days.toSorted().reverse())
            expect(pages.every(({ Count = 0 }, page) => Count === Limit || page === pages.length - 1)).toBe(
              true,
            )
            expect(new Set(textsOf(pages, 'shop'))).toEqual(new Set(['s']))
            expect(
              itemsOf(pages).some((item) => 'isotherm_by_status' in item || 'status_shard' in item),
            ).toBe(false)
          }
        }
      })
    },
    60_000,
  )

  it('applies a range, a projection, a filter and a count', async () => {
    await withOrders(async (db) => {
      const names = { '#s': 'status', '#d': 'day' }
      const bounds = { ':a': { S: 'day 1' }, ':b': { S: 'day 2' } }
      const wanted = numbers.filter((number) => number % 5 !== 0 && [1, 2].includes(number % 4))
      for (const forward of [true, false]) {
        const input = inputOf('#s = :v AND #d BETWEEN :a AND :b', 'open', {
          IndexName: 'by_status',
          Limit: 3,
          ScanIndexForward: forward,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: bounds,
        })
        const orders = textsOf(
          await allPages(db, {
            ...input,
            ProjectionExpression: '#o',
            ExpressionAttributeNames: { ...names, '#o': 'order' },
          }),
          'order',
        )
        expect(orders.toSorted()).toEqual(wanted.map((number) => storedOrder(number).order.S))
        const counted = await allPages(db, { ...input, Select: 'COUNT' })
        expect(counted.reduce((sum, { Count = 0 }) => sum + Count, 0)).toBe(wanted.length)
        const filtered = await allPages(db, {
          ...input,
          FilterExpression: 'customer = :c',
          ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ':c': { S: 'c1' } },
        })
        expect(textsOf(filtered, 'order').toSorted()).toEqual(
          wanted.filter((number) => number % 3 === 1).map((number) => storedOrder(number).order.S),
        )
      }
      const projected = await allPages(
        db,
        inputOf('#s = :v', 'closed', {
          IndexName: 'by_status',
          ProjectionExpression: 'customer',
          ExpressionAttributeNames: { '#s': 'status' },
        }),
      )
      expect(itemsOf(projected).every((item) => Object.keys(item).join() === 'customer')).toBe(true)
      expect(itemsOf(projected)).toHaveLength(12)
    })
  }, 60_000)

  it('sums the capacity of table and index, and rejects a cursor of another key', async () => {
    await withOrders(async (db) => {
      const input = inputOf('#s = :v', 'open', {
        IndexName: 'by_status',
        Limit: 2,
        ReturnConsumedCapacity: 'INDEXES',
        ExpressionAttributeNames: { '#s': 'status' },
      })
      const { ConsumedCapacity, LastEvaluatedKey } = await db.send(new QueryCommand(input))
      const units = ConsumedCapacity?.CapacityUnits ?? 0
      expect(units).toBeGreaterThanOrEqual(STATUS_SHARDS * 0.5)
      expect(ConsumedCapacity?.GlobalSecondaryIndexes?.by_status?.CapacityUnits).toBe(units)
      expect(Object.keys(LastEvaluatedKey ?? {}).sort()).toEqual([
        'day',
        'isotherm_by_status',
        'order',
        'shop',
      ])
      const forged = { ...LastEvaluatedKey, isotherm_by_status: { S: 'closed_1' } }
      await expect(db.send(new QueryCommand({ ...input, ExclusiveStartKey: forged }))).rejects.toMatchObject({
        code: 'cursor.invalid',
      })
    })
  }, 60_000)

  it('continues after its own cursor, for any spelling of the number in its condition', async () => {
    await withGrades(async (db) => {
      for (const grade of ['1', '1.0', '10e-1']) {
        const pages = await allPages(db, {
          TableName: 'pupils',
          IndexName: 'by_grade',
          Limit: 2,
          KeyConditionExpression: 'grade = :v',
          ExpressionAttributeValues: { ':v': { N: grade } },
        })
        expect(textsOf(pages, 'day'), grade).toEqual(['0', '1', '2', '3', '4', '5'])
      }
    })
  })
})

describe('a query of an index under the partition key of the table', () => {
  it.each([true, false])(
    'is merged by its sort key, forward: %s',
    async (forward) => {
      await withOrders(async (db) => {
        for (const Limit of [1, 5, 100]) {
          const input = inputOf('shop = :v', 's', { IndexName: 'by_total', Limit, ScanIndexForward: forward })
          const pages = await allPages(db, input)
          const totals = textsOf(pages, 'total').map(Number)
          expect(totals).toEqual(totals.toSorted((a, b) => (forward ? a - b : b - a)))
          expect(textsOf(pages, 'order').toSorted()).toEqual(
            numbers.map((number) => storedOrder(number).order.S),
          )
          expect(new Set(textsOf(pages, 'shop'))).toEqual(new Set(['s']))
        }
      })
    },
    60_000,
  )

  it('gets the sort key from the condition when the options do not name it, or reports that it is missing', async () => {
    await withOrders(
      async (db) => {
        const input = inputOf('shop = :v AND #t > :t', 's', {
          IndexName: 'by_total',
          ExpressionAttributeNames: { '#t': 'total' },
          Limit: 4,
          ExpressionAttributeValues: { ':t': { N: '3' } },
        })
        expect(itemsOf(await allPages(db, input))).toHaveLength(20)
        await expect(
          db.send(new QueryCommand(inputOf('shop = :v', 's', { IndexName: 'by_total' }))),
        ).rejects.toMatchObject({ code: 'command.parameter-unsupported', message: /indexes: \{ by_total/ })
      },
      { indexes: {} },
    )
  }, 60_000)
})

describe('a query of any other index', () => {
  it('is sent unchanged, and returns logical keys', async () => {
    await withOrders(async (db) => {
      const pages = await allPages(db, inputOf('customer = :v', 'c1', { IndexName: 'by_customer', Limit: 6 }))
      expect(textsOf(pages, 'order')).toEqual(
        numbers.filter((number) => number % 3 === 1).map((number) => storedOrder(number).order.S),
      )
      expect(new Set(textsOf(pages, 'shop'))).toEqual(new Set(['s']))
      expect(pages[0]?.LastEvaluatedKey?.shop?.S).toMatch(/^s_\d$/)
      const inverted = await db.send(
        new QueryCommand(
          inputOf('#o = :v', 'o007', { IndexName: 'inverted', ExpressionAttributeNames: { '#o': 'order' } }),
        ),
      )
      expect(inverted.Items?.map(({ shop }) => shop?.S)).toEqual(['s'])
    })
  }, 60_000)

  it('works for both keys of an inverted index and for ranges of its sort key, and is rejected for such a filter', async () => {
    await withOrders(async (db) => {
      const names = { '#o': 'order' }
      const both = inputOf('#o = :v AND shop = :s', 'o007', {
        IndexName: 'inverted',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ':s': { S: 's' } },
      })
      expect((await db.send(new QueryCommand(both))).Items?.map(({ order }) => order?.S)).toEqual(['o007'])
      const range = { ...both, KeyConditionExpression: '#o = :v AND begins_with(shop, :s)' }
      expect((await db.send(new QueryCommand(range))).Items?.map(({ shop }) => shop?.S)).toEqual(['s'])
      const other = inputOf('customer = :v AND shop > :s', 'c1', {
        IndexName: 'by_customer',
        ExpressionAttributeValues: { ':s': { S: 's' } },
      })
      await expect(db.send(new QueryCommand(other))).rejects.toMatchObject({
        code: 'command.parameter-unsupported',
      })
      const filter = inputOf('customer = :v', 'c1', {
        IndexName: 'by_customer',
        FilterExpression: 'shop = :s',
        ExpressionAttributeValues: { ':s': { S: 's' } },
      })
      await expect(db.send(new QueryCommand(filter))).rejects.toMatchObject({
        code: 'command.parameter-unsupported',
        details: { parameter: 'shop in its FilterExpression' },
      })
    })
  }, 60_000)
})
