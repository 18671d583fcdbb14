import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import {
  $add,
  BatchDeleteRequest,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteItemCommand,
  DeletePartitionCommand,
  Entity,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
  GetItemCommand,
  GetTransaction,
  item,
  number,
  PutItemCommand,
  PutTransaction,
  QueryCommand,
  string,
  Table,
  UpdateItemCommand,
  UpdateTransaction,
} from 'dynamodb-toolbox'
import { isotherm } from 'isotherm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedSharded, serveSharded } from './sharded.fixture.js'

let served: ServedSharded
let documentClient: DynamoDBDocumentClient

beforeAll(async () => {
  served = await serveSharded()
  documentClient = isotherm(DynamoDBDocumentClient.from(served.client), served.options)
})

afterAll(() => served.stop())

function auditLog() {
  const table = new Table({
    name: 'audit_log',
    documentClient,
    partitionKey: { name: 'file_path', type: 'string' },
    sortKey: { name: 'accessed_at', type: 'string' },
  })
  const access = new Entity({
    name: 'Access',
    table,
    schema: item({
      filePath: string().key().savedAs('file_path'),
      accessedAt: string().key().savedAs('accessed_at'),
      user: string(),
      action: string().default('read'),
    }),
  })
  return { table, access }
}

function shop() {
  const table = new Table({
    name: 'orders',
    documentClient,
    partitionKey: { name: 'customer', type: 'string' },
    sortKey: { name: 'order_id', type: 'string' },
  })
  const order = new Entity({
    name: 'Order',
    table,
    schema: item({
      customer: string().key(),
      orderId: string().key().savedAs('order_id'),
      status: string().default('open'),
      total: number().default(0),
    }),
  })
  return { table, order }
}

const text = (index: number) => String(index).padStart(3, '0')
const texts = (count: number) => Array.from({ length: count }, (_, index) => text(index))
const unlessThere = { condition: { attr: 'customer', exists: false } } as const

describe('DynamoDB-Toolbox over a sharded audit log', () => {
  it('appends, and reads back in order, forwards and backwards, page by page', async () => {
    const { table, access } = auditLog()
    for (const accessedAt of texts(30)) {
      await access.build(PutItemCommand).item({ filePath: '/a', accessedAt, user: 'ada' }).send()
    }
    const query = table.build(QueryCommand).entities(access).query({ partition: '/a' })
    const { Items = [] } = await query.options({ maxPages: Number.POSITIVE_INFINITY }).send()
    expect(Items.map(({ accessedAt }) => accessedAt)).toEqual(texts(30))
    const seen: string[] = []
    for await (const page of query.options({ limit: 7, reverse: true }).paginate()) {
      seen.push(...(page.Items ?? []).map(({ accessedAt }) => accessedAt))
    }
    expect(seen).toEqual(texts(30).reverse())
    expect(await served.shardsInUse('audit_log')).toBe(4)
  })

  it('finds an append by its key, and changes and removes it under conditions', async () => {
    const { access } = auditLog()
    const key = { filePath: '/b', accessedAt: '1' }
    const create = (user: string) =>
      access
        .build(PutItemCommand)
        .item({ ...key, user })
        .options({ condition: { attr: 'filePath', exists: false } })
        .send()
    await create('ada')
    await expect(create('eve')).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
    const { Attributes } = await access
      .build(UpdateItemCommand)
      .item({ ...key, action: 'write' })
      .options({ condition: { attr: 'user', eq: 'ada' }, returnValues: 'ALL_NEW' })
      .send()
    expect(Attributes).toMatchObject({ ...key, user: 'ada', action: 'write' })
    await access.build(DeleteItemCommand).key(key).send()
    expect((await access.build(GetItemCommand).key(key).send()).Item).toBeUndefined()
  })

  it('appends in batches and reads them in batches', async () => {
    const { table, access } = auditLog()
    const keys = texts(20).map((accessedAt) => ({ filePath: '/c', accessedAt }))
    await executeBatchWrite(
      table
        .build(BatchWriteCommand)
        .requests(...keys.map((key) => access.build(BatchPutRequest).item({ ...key, user: 'ada' }))),
    )
    const { Responses } = await executeBatchGet(
      table.build(BatchGetCommand).requests(...keys.map((key) => access.build(BatchGetRequest).key(key))),
    )
    expect(Responses?.[0]?.map((each) => each?.accessedAt)).toEqual(texts(20))
  })
})

describe('DynamoDB-Toolbox over a sharded table of orders', () => {
  it('creates once, and updates under conditions', async () => {
    const { order } = shop()
    const key = { customer: 'ada', orderId: '1' }
    await order.build(PutItemCommand).item(key).options(unlessThere).send()
    await expect(order.build(PutItemCommand).item(key).options(unlessThere).send()).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
    })
    const pay = () =>
      order
        .build(UpdateItemCommand)
        .item({ ...key, status: 'paid', total: $add(3) })
        .options({ condition: { attr: 'status', eq: 'open' }, returnValues: 'ALL_NEW' })
        .send()
    expect((await pay()).Attributes).toMatchObject({ ...key, status: 'paid', total: 3 })
    await expect(pay()).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
    const { Attributes } = await order
      .build(DeleteItemCommand)
      .key(key)
      .options({ condition: { attr: 'total', gte: 3 }, returnValues: 'ALL_OLD' })
      .send()
    expect(Attributes).toMatchObject({ ...key, total: 3 })
    expect((await order.build(GetItemCommand).key(key).send()).Item).toBeUndefined()
  })

  it('queries forwards and backwards in pages', async () => {
    const { table, order } = shop()
    for (const [total, orderId] of texts(40).entries()) {
      await order.build(PutItemCommand).item({ customer: 'bob', orderId, total }).send()
    }
    const query = table
      .build(QueryCommand)
      .entities(order)
      .query({ partition: 'bob', range: { between: [text(10), text(29)] } })
    const expected = texts(40).slice(10, 30)
    for (const reverse of [false, true]) {
      const seen: string[] = []
      const options = { limit: 6, reverse, filters: { Order: { attr: 'total', ne: 15 } } } as const
      for await (const { Items = [] } of query.options(options).paginate()) {
        seen.push(...Items.map(({ orderId }) => orderId))
      }
      const matching = expected.filter((each) => each !== text(15))
      expect(seen).toEqual(reverse ? matching.reverse() : matching)
    }
    expect(await served.shardsInUse('orders')).toBe(4)
  })

  it('gets and deletes in batches, and deletes a whole partition', async () => {
    const { table, order } = shop()
    const keys = texts(20).map((orderId) => ({ customer: 'many', orderId }))
    await executeBatchWrite(
      table.build(BatchWriteCommand).requests(...keys.map((key) => order.build(BatchPutRequest).item(key))),
    )
    await executeBatchWrite(
      table
        .build(BatchWriteCommand)
        .requests(...keys.slice(0, 5).map((key) => order.build(BatchDeleteRequest).key(key))),
    )
    const { Responses } = await executeBatchGet(
      table.build(BatchGetCommand).requests(...keys.map((key) => order.build(BatchGetRequest).key(key))),
    )
    expect(Responses?.[0]?.map((each) => each?.orderId)).toEqual(
      texts(20).map((each, index) => (index < 5 ? undefined : each)),
    )
    await table.build(DeletePartitionCommand).entities(order).query({ partition: 'many' }).send()
    const left = await table
      .build(QueryCommand)
      .query({ partition: 'many' })
      .options({ select: 'COUNT' })
      .send()
    expect(left.Count).toBe(0)
  })

  it('writes all of a transaction or nothing, and reads in one', async () => {
    const { order } = shop()
    const key = (orderId: string) => ({ customer: 'cy', orderId })
    await order.build(PutItemCommand).item(key('1')).send()
    await executeTransactWrite(
      order.build(PutTransaction).item(key('2')).options(unlessThere),
      order.build(UpdateTransaction).item({ ...key('1'), total: $add(1) }),
    )
    const read = await executeTransactGet(
      order.build(GetTransaction).key(key('1')),
      order.build(GetTransaction).key(key('3')),
    )
    expect(read.Responses?.[0]?.Item).toMatchObject({ ...key('1'), total: 1 })
    expect(read.Responses?.[1]?.Item).toBeUndefined()
    await expect(
      executeTransactWrite(
        order.build(UpdateTransaction).item({ ...key('1'), total: $add(1) }),
        order.build(ConditionCheck).key(key('2')).condition({ attr: 'status', eq: 'paid' }),
      ),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    expect((await order.build(GetItemCommand).key(key('1')).send()).Item).toMatchObject({ total: 1 })
  })
})
