import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { Entity, Service } from 'electrodb'
import { isotherm } from 'isotherm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedSharded, serveSharded } from './sharded.fixture.js'

let served: ServedSharded
let client: DynamoDBDocumentClient

beforeAll(async () => {
  served = await serveSharded()
  client = isotherm(DynamoDBDocumentClient.from(served.client), served.options)
})

afterAll(() => served.stop())

function auditLog() {
  return new Entity(
    {
      model: { entity: 'access', version: '1', service: 'audit' },
      attributes: {
        filePath: { type: 'string', required: true },
        accessedAt: { type: 'string', required: true },
        user: { type: 'string', required: true },
        action: { type: ['read', 'write'] as const, default: 'read' },
      },
      indexes: {
        accesses: {
          pk: { field: 'file_path', composite: ['filePath'] },
          sk: { field: 'accessed_at', composite: ['accessedAt'] },
        },
      },
    },
    { client, table: 'audit_log' },
  )
}

function shop() {
  const order = new Entity({
    model: { entity: 'order', version: '1', service: 'shop' },
    attributes: {
      customer: { type: 'string', required: true },
      orderId: { type: 'string', required: true },
      status: { type: ['open', 'paid'] as const, default: 'open' },
      total: { type: 'number', default: 0 },
      tags: { type: 'set', items: 'string' },
    },
    indexes: {
      orders: {
        pk: { field: 'customer', composite: ['customer'] },
        sk: { field: 'order_id', composite: ['orderId'] },
      },
    },
  })
  return new Service({ order }, { client, table: 'orders' })
}

const number = (index: number) => String(index).padStart(3, '0')
const numbers = (count: number) => Array.from({ length: count }, (_, index) => number(index))

describe('ElectroDB over a sharded audit log', () => {
  it('appends, and reads back in order, forwards and backwards, page by page', async () => {
    const log = auditLog()
    for (const at of numbers(30)) await log.put({ filePath: '/a', accessedAt: at, user: 'ada' }).go()
    const { data } = await log.query.accesses({ filePath: '/a' }).go({ pages: 'all' })
    expect(data.map(({ accessedAt }) => accessedAt)).toEqual(numbers(30))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { data: { accessedAt: string }[]; cursor: string | null } = await log.query
        .accesses({ filePath: '/a' })
        .go({ limit: 7, cursor, order: 'desc' })
      seen.push(...page.data.map(({ accessedAt }) => accessedAt))
      cursor = page.cursor
    } while (cursor !== null && seen.length <= 30)
    expect(seen).toEqual(numbers(30).reverse())
    expect(await served.shardsInUse('audit_log')).toBe(4)
  })

  it('finds an append by its key, and changes and removes it under conditions', async () => {
    const log = auditLog()
    const key = { filePath: '/b', accessedAt: '1' }
    await log.create({ ...key, user: 'ada' }).go()
    await expect(log.create({ ...key, user: 'eve' }).go()).rejects.toMatchObject({ code: 4001 })
    expect((await log.get(key).go()).data).toMatchObject({ user: 'ada', action: 'read' })
    const { data } = await log
      .patch(key)
      .set({ action: 'write' })
      .where(({ user }, { eq }) => eq(user, 'ada'))
      .go({ response: 'all_new' })
    expect(data).toMatchObject({ ...key, user: 'ada', action: 'write' })
    await log.delete(key).go()
    expect((await log.get(key).go()).data).toBeNull()
  })

  it('appends in batches and reads them in batches', async () => {
    const log = auditLog()
    const keys = numbers(40).map((accessedAt) => ({ filePath: '/c', accessedAt }))
    const { unprocessed } = await log.put(keys.map((key) => ({ ...key, user: 'ada' }))).go()
    expect(unprocessed).toEqual([])
    const found = await log.get(keys).go({ preserveBatchOrder: true })
    expect(found.data.map((each) => each?.accessedAt)).toEqual(numbers(40))
  })
})

describe('ElectroDB over a sharded table of orders', () => {
  it('creates once, and updates under conditions', async () => {
    const { order } = shop().entities
    const key = { customer: 'ada', orderId: '1' }
    await order.create({ ...key, tags: ['new'] }).go()
    await expect(order.create(key).go()).rejects.toMatchObject({ code: 4001 })
    const { data } = await order
      .patch(key)
      .set({ status: 'paid' })
      .add({ total: 3, tags: ['sent'] })
      .where(({ status }, { eq }) => eq(status, 'open'))
      .go({ response: 'all_new' })
    expect(data).toMatchObject({ ...key, status: 'paid', total: 3 })
    expect([...(data?.tags ?? [])].sort()).toEqual(['new', 'sent'])
    await expect(
      order
        .patch(key)
        .set({ total: 9 })
        .where(({ status }, { eq }) => eq(status, 'open'))
        .go(),
    ).rejects.toMatchObject({ code: 4001 })
    await order.upsert({ customer: 'ada', orderId: '2' }).add({ total: 2 }).go()
    await order.upsert({ customer: 'ada', orderId: '2' }).add({ total: 5 }).go()
    expect((await order.get({ customer: 'ada', orderId: '2' }).go()).data).toMatchObject({ total: 7 })
    await order.remove(key).go()
    expect((await order.get(key).go()).data).toBeNull()
  })

  it('queries forwards and backwards in pages', async () => {
    const { order } = shop().entities
    await order.put(numbers(40).map((orderId, total) => ({ customer: 'bob', orderId, total }))).go()
    const { data } = await order.query
      .orders({ customer: 'bob' })
      .between({ orderId: number(10) }, { orderId: number(29) })
      .go({ order: 'desc', pages: 'all' })
    expect(data.map(({ orderId }) => orderId)).toEqual(numbers(40).slice(10, 30).reverse())
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { data: { orderId: string }[]; cursor: string | null } = await order.query
        .orders({ customer: 'bob' })
        .where(({ total }, { ne }) => ne(total, 5))
        .go({ limit: 6, cursor })
      seen.push(...page.data.map(({ orderId }) => orderId))
      cursor = page.cursor
    } while (cursor !== null && seen.length <= 40)
    expect(seen).toEqual(numbers(40).filter((each) => each !== number(5)))
    expect(await served.shardsInUse('orders')).toBe(4)
  })

  it('gets and deletes in batches', async () => {
    const { order } = shop().entities
    const keys = numbers(60).map((orderId) => ({ customer: 'many', orderId }))
    await order.put(keys).go()
    await order.delete(keys.slice(0, 25)).go()
    const found = await order.get(keys).go({ preserveBatchOrder: true })
    expect(found.data.map((each) => each?.orderId)).toEqual(
      numbers(60).map((each, index) => (index < 25 ? undefined : each)),
    )
  })

  it('writes all of a transaction or nothing, and reads in one', async () => {
    const app = shop()
    const key = (orderId: string) => ({ customer: 'cy', orderId })
    const done = await app.transaction
      .write(({ order }) => [order.create(key('1')).commit(), order.create(key('2')).commit()])
      .go()
    expect(done.canceled).toBe(false)
    const refused = await app.transaction
      .write(({ order }) => [
        order.patch(key('1')).set({ total: 12 }).commit(),
        order.create(key('2')).commit({ response: 'all_old' }),
      ])
      .go()
    expect(refused.canceled).toBe(true)
    expect(refused.data.map(({ code }) => code)).toEqual(['None', 'ConditionalCheckFailed'])
    expect(refused.data[1]?.item).toMatchObject(key('2'))
    const read = await app.transaction
      .get(({ order }) => [order.get(key('1')).commit(), order.get(key('3')).commit()])
      .go()
    expect(read.data.map(({ item }) => item)).toMatchObject([{ total: 0 }, null])
  })
})
