// biome-ignore-all lint/suspicious/noTemplateCurlyInString: OneTable's own templates are ordinary strings.
import { type Entity, type Model, Table } from 'dynamodb-onetable'
import { isotherm } from 'isotherm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedSharded, serveSharded } from './sharded.fixture.js'

const auditSchema = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: { primary: { hash: 'file_path', sort: 'accessed_at' } },
  models: {
    Access: {
      file_path: { type: String, required: true },
      accessed_at: { type: String, required: true },
      user: { type: String, required: true },
      action: { type: String, default: 'read' },
    },
  },
} as const

const shopSchema = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: { primary: { hash: 'customer', sort: 'order_id' } },
  models: {
    Order: {
      customer: { type: String, value: 'customer:${name}' },
      order_id: { type: String, value: 'order:${id}' },
      name: { type: String, required: true },
      id: { type: String, required: true },
      status: { type: String, default: 'open' },
      total: { type: Number, default: 0 },
    },
  },
} as const

type Access = Entity<typeof auditSchema.models.Access>
type Order = Entity<typeof shopSchema.models.Order>

let served: ServedSharded
let shop: Table<typeof shopSchema>
let Accesses: Model<Access>
let Orders: Model<Order>
let log: Table<typeof auditSchema>

beforeAll(async () => {
  served = await serveSharded()
  const client = isotherm(served.client, served.options)
  log = new Table({ client, name: 'audit_log', schema: auditSchema, partial: true })
  shop = new Table({ client, name: 'orders', schema: shopSchema, partial: true })
  Accesses = log.getModel<Access>('Access')
  Orders = shop.getModel<Order>('Order')
})

afterAll(() => served.stop())

const text = (index: number) => String(index).padStart(3, '0')
const texts = (count: number) => Array.from({ length: count }, (_, index) => text(index))

/** All pages of a query, chained as OneTable does it. */
async function paged<T>(
  find: (from: object) => Promise<T[] & { readonly next?: object | undefined }>,
): Promise<T[]> {
  const seen: T[] = []
  let next: object | undefined
  do {
    const page = await find(next === undefined ? {} : { next })
    seen.push(...page)
    next = page.next
  } while (next !== undefined && seen.length <= 100)
  return seen
}

describe('OneTable over a sharded audit log', () => {
  it('appends, and reads back in order, forwards and backwards, page by page', async () => {
    const file = { file_path: '/a' }
    for (const accessed_at of texts(30)) {
      await Accesses.create({ ...file, accessed_at, user: 'ada' }, { exists: null })
    }
    expect((await Accesses.find(file)).map(({ accessed_at }) => accessed_at)).toEqual(texts(30))
    const seen = await paged((from) => Accesses.find(file, { limit: 7, reverse: true, ...from }))
    expect(seen.map(({ accessed_at }) => accessed_at)).toEqual(texts(30).reverse())
    expect(await served.shardsInUse('audit_log')).toBe(4)
  })

  it('finds an append by its key, and changes and removes it under conditions', async () => {
    const key = { file_path: '/b', accessed_at: '1' }
    await Accesses.create({ ...key, user: 'ada' })
    await expect(Accesses.create({ ...key, user: 'eve' })).rejects.toThrow(/already exists|condition/i)
    const changed = await Accesses.update({ ...key, action: 'write' }, { where: '${user} = {ada}' })
    expect(changed).toMatchObject({ ...key, user: 'ada', action: 'write' })
    await Accesses.remove(key)
    expect(await Accesses.get(key)).toBeUndefined()
  })

  it('appends in batches and reads them in batches', async () => {
    const keys = texts(20).map((accessed_at) => ({ file_path: '/c', accessed_at }))
    const writes = {}
    for (const key of keys) await Accesses.create({ ...key, user: 'ada' }, { batch: writes, exists: null })
    await log.batchWrite(writes)
    const reads = {}
    for (const key of keys) await Accesses.get(key, { batch: reads })
    const found = await log.batchGet<Access>(reads, { parse: true })
    expect(found.map(({ accessed_at }) => accessed_at).sort()).toEqual(texts(20))
  })
})

describe('OneTable over a sharded table of orders', () => {
  it('creates once, and updates under conditions', async () => {
    const key = { name: 'ada', id: '1' }
    await Orders.create(key)
    await expect(Orders.create(key)).rejects.toThrow(/already exists|condition/i)
    const paid = await Orders.update(
      { ...key, status: 'paid' },
      { where: '${status} = {open}', add: { total: 3 } },
    )
    expect(paid).toMatchObject({ ...key, status: 'paid', total: 3 })
    await expect(
      Orders.update({ ...key, total: 9 }, { where: '${status} = {open}', throw: true }),
    ).rejects.toThrow(/condition/i)
    await Orders.upsert({ name: 'ada', id: '2', total: 7 })
    expect(await Orders.get({ name: 'ada', id: '2' })).toMatchObject({ total: 7 })
    await Orders.remove(key)
    expect(await Orders.get(key)).toBeUndefined()
  })

  it('queries forwards and backwards in pages', async () => {
    for (const [total, id] of texts(40).entries()) await Orders.create({ name: 'bob', id, total })
    const range = { name: 'bob', order_id: { between: ['order:010', 'order:029'] } } as never
    for (const reverse of [false, true]) {
      const where = '${total} <> {15}'
      const seen = await paged((from) => Orders.find(range, { limit: 6, reverse, where, ...from }))
      const expected = texts(40)
        .slice(10, 30)
        .filter((each) => each !== text(15))
      expect(seen.map(({ id }) => id)).toEqual(reverse ? expected.reverse() : expected)
    }
    expect((await Orders.find({ name: 'bob' }, { count: true })).count).toBe(40)
    expect(await served.shardsInUse('orders')).toBe(4)
  })

  it('gets and deletes in batches', async () => {
    const writes = {}
    for (const id of texts(20)) await Orders.create({ name: 'many', id }, { batch: writes, exists: null })
    await shop.batchWrite(writes)
    const deletes = {}
    for (const id of texts(5)) await Orders.remove({ name: 'many', id }, { batch: deletes })
    await shop.batchWrite(deletes)
    const reads = {}
    for (const id of texts(20)) await Orders.get({ name: 'many', id }, { batch: reads })
    const found = await shop.batchGet<Order>(reads, { parse: true })
    expect(found.map(({ id }) => id).sort()).toEqual(texts(20).slice(5))
  })

  it('writes all of a transaction or nothing, and reads in one', async () => {
    const key = (id: string) => ({ name: 'cy', id })
    await Orders.create(key('1'))
    const done = {}
    await Orders.create(key('2'), { transaction: done })
    await Orders.update({ ...key('1'), status: 'paid' }, { transaction: done })
    await shop.transact('write', done)
    const refused = {}
    await Orders.update({ ...key('1'), status: 'open' }, { transaction: refused })
    await Orders.create(key('2'), { transaction: refused })
    await expect(shop.transact('write', refused)).rejects.toMatchObject({
      code: 'TransactionCanceledException',
      context: { err: { CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }] } },
    })
    const read = {}
    await Orders.get(key('1'), { transaction: read })
    await Orders.get(key('2'), { transaction: read })
    const found: unknown = await shop.transact('get', read, { parse: true, hidden: true })
    expect(found).toMatchObject([
      { id: '1', status: 'paid' },
      { id: '2', status: 'open' },
    ])
  })
})
