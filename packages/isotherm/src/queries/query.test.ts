import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

function setUp({ items = 0, shards = 10, bytes = 10, sortKey = true } = {}) {
  const keys = sortKey ? { partitionKey: 'pk', sortKey: 'at' } : { partitionKey: 'pk' }
  const tables = new FakeTables().create('log', keys)
  for (let at = 0; at < items; at++) {
    // Distributed unevenly, like a random suffix.
    const shard = 1 + ((Math.imul(at + 1, 2_654_435_761) >>> 8) % shards)
    const item = {
      pk: { S: `k_${shard}` },
      at: { N: String(at) },
      text: { S: 'x'.repeat(bytes) },
      even: { BOOL: at % 2 === 0 },
    }
    tables.execute('PutItem', { TableName: 'log', Item: item })
  }
  tables.requests.length = 0
  const db = isotherm(bareClient(tables), {
    tables: { log: { ...keys, suffix: 'random', shards: fixedShards(shards), checkItems: false } },
  })
  const query = (more: Partial<QueryCommandInput> = {}) =>
    db.send(
      new QueryCommand({
        TableName: 'log',
        KeyConditionExpression: 'pk = :pk',
        ...more,
        ExpressionAttributeValues: { ':pk': { S: 'k' }, ...more.ExpressionAttributeValues },
      }),
    )
  return { tables, query }
}

const times = (items: readonly Record<string, unknown>[] = []) =>
  items.map(({ at }) => Number((at as { N: string }).N))

describe('a page of a sharded key', () => {
  it('has exactly the projected attributes, even though merging needed the sort key', async () => {
    const { query } = setUp({ items: 5 })
    expect(
      (await query({ ProjectionExpression: '#t', ExpressionAttributeNames: { '#t': 'text' } })).Items?.[0],
    ).toEqual({
      text: { S: 'xxxxxxxxxx' },
    })
    const both = { ProjectionExpression: 'pk, #a', ExpressionAttributeNames: { '#a': 'at' } }
    expect((await query(both)).Items?.[0]).toEqual({ pk: { S: 'k' }, at: { N: '0' } })
    const into = { ProjectionExpression: '#a.deeper', ExpressionAttributeNames: { '#a': 'at' } }
    expect((await query(into)).Items?.[0]).toEqual({})
  })

  it('sends no placeholders that only its key condition used', async () => {
    const { tables, query } = setUp({ items: 3 })
    await query({
      KeyConditionExpression: '#p = :pk AND #a BETWEEN :low AND :high',
      FilterExpression: '#e = :even',
      ExpressionAttributeNames: { '#p': 'pk', '#a': 'at', '#e': 'even' },
      ExpressionAttributeValues: { ':low': { N: '0' }, ':high': { N: '9' }, ':even': { BOOL: true } },
    })
    expect(Object.keys(tables.requests[0]?.input.ExpressionAttributeNames).sort()).toEqual([
      '#e',
      '#isotherm_partition',
      '#isotherm_sort',
    ])
  })

  it('adds up what all shards consumed, if requested', async () => {
    const { tables, query } = setUp({ items: 100 })
    const { ConsumedCapacity } = await query({ Limit: 20, ReturnConsumedCapacity: 'TOTAL' })
    expect(ConsumedCapacity).toEqual({ TableName: 'log', CapacityUnits: tables.queriedUnits })
    tables.requests.length = 0
    expect((await query({ Limit: 20 })).ConsumedCapacity).toBeUndefined()
    // The library needs it to know how much was read.
    expect(new Set(tables.requests.map(({ input }) => input.ReturnConsumedCapacity))).toEqual(
      new Set(['TOTAL']),
    )
  })

  it('has no consumed capacity if the service reports none', async () => {
    const { tables, query } = setUp({ items: 10 })
    tables.reportsCapacity = false
    expect(await query({ ReturnConsumedCapacity: 'TOTAL' })).not.toHaveProperty('ConsumedCapacity')
  })

  it('ends with the physical key of its last item', async () => {
    const { query } = setUp({ items: 100 })
    const { Items, LastEvaluatedKey } = await query({ Limit: 20 })
    expect(times(Items)).toEqual(Array.from({ length: 20 }, (_, at) => at))
    expect(LastEvaluatedKey).toEqual({ pk: { S: expect.stringMatching(/^k_\d+$/) }, at: { N: '19' } })
  })

  it('continues from a cursor of a time with fewer shards', async () => {
    const { query } = setUp({ items: 50 })
    const { Items } = await query({ ExclusiveStartKey: { pk: { S: 'k_1' }, at: { N: '29.5' } } })
    expect(times(Items)).toEqual(Array.from({ length: 20 }, (_, index) => 30 + index))
  })

  it('is ordered by shard when there is no sort key', async () => {
    const { tables, query } = setUp({ sortKey: false })
    for (const shard of [1, 2, 4]) {
      tables.execute('PutItem', {
        TableName: 'log',
        Item: { pk: { S: `k_${shard}` }, shard: { N: String(shard) } },
      })
    }
    const first = await query({ Limit: 2 })
    expect(first.Items?.map(({ shard }) => shard?.N)).toEqual(['1', '2'])
    const { LastEvaluatedKey } = first
    const rest = await query(LastEvaluatedKey === undefined ? {} : { ExclusiveStartKey: LastEvaluatedKey })
    expect(rest.Items?.map(({ shard }) => shard?.N)).toEqual(['4'])
    expect(rest.LastEvaluatedKey).toBeUndefined()
  })

  it('reads from every shard at most what a page needs, not a whole page', async () => {
    const { tables, query } = setUp({ items: 3_000, bytes: 2_000 })
    const page = await query()
    const wanted = (page.Count ?? 0) * 0.25
    expect(page.Count).toBeGreaterThan(450)
    expect(tables.queriedUnits).toBeLessThan(wanted * 2)
  })

  it('takes few rounds when one shard holds everything', async () => {
    const { tables, query } = setUp({ shards: 10 })
    for (let at = 0; at < 400; at++) {
      tables.execute('PutItem', { TableName: 'log', Item: { pk: { S: 'k_3' }, at: { N: String(at) } } })
    }
    tables.requests.length = 0
    expect((await query({ Limit: 400 })).Count).toBe(400)
    expect(tables.requests.length).toBeLessThanOrEqual(10 + 4)
  })

  it('reads a bounded amount when its filter excludes everything', async () => {
    const { tables, query } = setUp({ items: 3_000, bytes: 2_000 })
    const page = await query({ FilterExpression: 'attribute_exists(absent)' })
    expect(page).toMatchObject({ Count: 0, LastEvaluatedKey: { pk: { S: expect.any(String) } } })
    // Two megabytes, and a piece of each shard.
    expect(tables.queriedUnits).toBeLessThan(2 * 128 * 1.5)
    const limited = await query({ FilterExpression: 'attribute_exists(absent)', Limit: 40 })
    expect(limited.ScannedCount).toBe(40)
  })
})

describe('a query that a sharded table does not support', () => {
  it.each([
    ['KeyConditions', {}, 'KeyConditionExpression'],
    ['QueryFilter', {}, 'FilterExpression'],
    ['ConditionalOperator', 'OR', 'FilterExpression'],
    ['AttributesToGet', ['at'], 'ProjectionExpression'],
  ])('is rejected for its %s, with the name of what replaces it', async (parameter, value, expression) => {
    const { tables, query } = setUp()
    await expect(query({ [parameter]: value })).rejects.toMatchObject({
      code: 'command.parameter-unsupported',
      details: { operation: 'Query', table: 'log', parameter },
      message: expect.stringContaining(` ${expression}.`),
    })
    expect(tables.requests).toEqual([])
  })

  it.each([
    ['another key', { pk: { S: 'j_1' }, at: { N: '1' } }],
    ['a shard that cannot be', { pk: { S: 'k_4000' }, at: { N: '1' } }],
    ['no partition key', { at: { N: '1' } }],
    ['no sort key', { pk: { S: 'k_1' } }],
    ['something more', { pk: { S: 'k_1' }, at: { N: '1' }, more: { S: '' } }],
  ])('is rejected with a cursor of %s', async (_what, ExclusiveStartKey) => {
    const { query } = setUp()
    await expect(query({ ExclusiveStartKey })).rejects.toMatchObject({ code: 'cursor.invalid' })
  })

  it('is rejected with the text of the service when the service would reject it', async () => {
    const { query } = setUp({ items: 1 })
    const refused = (message: RegExp) => ({
      name: 'ValidationException',
      message: expect.stringMatching(message),
    })
    await expect(query({ Limit: 0 })).rejects.toMatchObject(refused(/Value at 'Limit' failed/))
    await expect(query({ KeyConditionExpression: 'accessed = :pk' })).rejects.toMatchObject(
      refused(/missed key schema element: pk/),
    )
    await expect(query({ KeyConditionExpression: undefined })).rejects.toMatchObject(
      refused(/Either the KeyConditions or KeyConditionExpression parameter must be specified/),
    )
    await expect(query({ KeyConditionExpression: 'pk = ' })).rejects.toMatchObject(
      refused(/Invalid KeyConditionExpression: Syntax error/),
    )
    await expect(query({ ProjectionExpression: '#nowhere' })).rejects.toMatchObject(
      refused(/Invalid ProjectionExpression: .*#nowhere/),
    )
    const sorted = { KeyConditionExpression: 'pk = :pk AND sorted > :pk' }
    await expect(setUp({ sortKey: false }).query(sorted)).rejects.toMatchObject(
      refused(/key condition not supported|missed key schema element/),
    )
    const outside = { pk: { S: 'k_1' }, at: { N: '1' } }
    await expect(
      query({
        KeyConditionExpression: 'pk = :pk AND #at > :from',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':from': { N: '5' } },
        ExclusiveStartKey: outside,
      }),
    ).rejects.toMatchObject(refused(/outside query boundaries/))
    await expect(query({ ExpressionAttributeValues: { ':unused': { S: '' } } })).rejects.toThrow(/unused/)
  })
})
