import { DynamoDB } from '@aws-sdk/client-dynamodb'
import dynamoose from 'dynamoose'
import { isotherm } from 'isotherm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedSharded, serveSharded } from './sharded.fixture.js'

let served: ServedSharded

beforeAll(async () => {
  served = await serveSharded()
  dynamoose.aws.ddb.set(isotherm(new DynamoDB(served.settings), served.options))
})

afterAll(async () => {
  dynamoose.aws.ddb.revert()
  await served.stop()
})

// The tables already exist, with their shard maps.
const ours = { create: false, waitForActive: false }

const Access = dynamoose.model(
  'audit_log',
  new dynamoose.Schema({
    file_path: { type: String, hashKey: true },
    accessed_at: { type: String, rangeKey: true },
    user: { type: String, required: true },
    action: { type: String, default: 'read' },
  }),
  ours,
)

const Order = dynamoose.model(
  'orders',
  new dynamoose.Schema(
    {
      customer: { type: String, hashKey: true },
      order_id: { type: String, rangeKey: true },
      status: { type: String, default: 'open' },
      total: { type: Number, default: 0 },
    },
    { timestamps: true },
  ),
  ours,
)

const text = (index: number) => String(index).padStart(3, '0')
const texts = (count: number) => Array.from({ length: count }, (_, index) => text(index))
const plain = (found: Iterable<unknown>) => JSON.parse(JSON.stringify([...found]))

interface Page extends Iterable<unknown> {
  readonly lastKey?: object
}

/** All pages of a query, each started at the last key of the previous one. */
async function paged(from: (last: object | undefined) => Promise<Page>): Promise<Record<string, string>[]> {
  const seen: Record<string, string>[] = []
  let last: object | undefined
  do {
    const page = await from(last)
    seen.push(...plain(page))
    last = page.lastKey
  } while (last !== undefined && seen.length <= 100)
  return seen
}

describe('Dynamoose over a sharded audit log', () => {
  it('appends, and reads back in order, forwards and backwards, page by page', async () => {
    for (const accessed_at of texts(30)) await Access.create({ file_path: '/a', accessed_at, user: 'ada' })
    const all = await Access.query('file_path').eq('/a').exec()
    expect(plain(all).map((each: { accessed_at: string }) => each.accessed_at)).toEqual(texts(30))
    const backwards = () => Access.query('file_path').eq('/a').sort('descending').limit(7)
    const seen = await paged((last) => (last === undefined ? backwards() : backwards().startAt(last)).exec())
    expect(seen.map(({ accessed_at }) => accessed_at)).toEqual(texts(30).reverse())
    expect(await served.shardsInUse('audit_log')).toBe(4)
  })

  it('finds an append by its key, and changes and removes it under conditions', async () => {
    const key = { file_path: '/b', accessed_at: '1' }
    await Access.create({ ...key, user: 'ada' })
    await expect(Access.create({ ...key, user: 'eve' })).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
    })
    const changed = await Access.update(key, { action: 'write' } as never, {
      condition: new dynamoose.Condition().where('user').eq('ada'),
    })
    expect(changed).toMatchObject({ ...key, user: 'ada', action: 'write' })
    await Access.delete(key)
    expect(await Access.get(key)).toBeUndefined()
  })

  it('appends in batches and reads them in batches', async () => {
    const keys = texts(20).map((accessed_at) => ({ file_path: '/c', accessed_at }))
    const { unprocessedItems } = await Access.batchPut(keys.map((key) => ({ ...key, user: 'ada' })))
    expect(unprocessedItems).toEqual([])
    const found = plain(await Access.batchGet(keys)) as { accessed_at: string }[]
    expect(found.map(({ accessed_at }) => accessed_at).sort()).toEqual(texts(20))
  })
})

describe('Dynamoose over a sharded table of orders', () => {
  it('creates once, and updates under conditions', async () => {
    const key = { customer: 'ada', order_id: '1' }
    await Order.create(key)
    await expect(Order.create(key)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
    const pay = () =>
      Order.update(key, { $SET: { status: 'paid' }, $ADD: { total: 3 } } as never, {
        condition: new dynamoose.Condition().where('status').eq('open'),
      })
    expect(await pay()).toMatchObject({ ...key, status: 'paid', total: 3 })
    await expect(pay()).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
    const order = await Order.get(key)
    expect(order).toMatchObject({ ...key, status: 'paid', total: 3 })
    await order.delete()
    expect(await Order.get(key)).toBeUndefined()
  })

  it('queries forwards and backwards in pages', async () => {
    for (const [total, order_id] of texts(40).entries())
      await Order.create({ customer: 'bob', order_id, total })
    const expected = texts(40)
      .slice(10, 30)
      .filter((each) => each !== text(15))
    for (const order of ['ascending', 'descending'] as const) {
      const query = () =>
        Order.query('customer')
          .eq('bob')
          .where('order_id')
          .between(text(10), text(29))
          .filter('total')
          .not()
          .eq(15)
          .sort(order)
          .limit(6)
      const seen = await paged((last) => (last === undefined ? query() : query().startAt(last)).exec())
      expect(seen.map(({ order_id }) => order_id)).toEqual(
        order === 'ascending' ? expected : expected.toReversed(),
      )
    }
    expect(await Order.query('customer').eq('bob').count().exec()).toMatchObject({ count: 40 })
    expect(await served.shardsInUse('orders')).toBe(4)
  })

  it('gets and deletes in batches', async () => {
    const keys = texts(20).map((order_id) => ({ customer: 'many', order_id }))
    await Order.batchPut(keys)
    expect(await Order.batchDelete(keys.slice(0, 5))).toEqual({ unprocessedItems: [] })
    const found = plain(await Order.batchGet(keys)) as { order_id: string }[]
    expect(found.map(({ order_id }) => order_id).sort()).toEqual(texts(20).slice(5))
  })

  it('writes all of a transaction or nothing, and reads in one', async () => {
    const key = (order_id: string) => ({ customer: 'cy', order_id })
    await Order.create(key('1'))
    await dynamoose.transaction([
      Order.transaction.create(key('2')),
      Order.transaction.update(key('1'), { $ADD: { total: 1 } }),
    ])
    await expect(
      dynamoose.transaction([
        Order.transaction.update(key('1'), { $ADD: { total: 1 } }),
        Order.transaction.condition(key('2'), new dynamoose.Condition('status').eq('paid')),
      ]),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    const read = await dynamoose.transaction([
      Order.transaction.get(key('1')),
      Order.transaction.get(key('2')),
    ])
    expect(plain(read)).toMatchObject([{ total: 1 }, { status: 'open' }])
  })
})
