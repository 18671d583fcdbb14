import { DescribeTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyPage, memoryStore, putAll, type RotatingLog, rotatingLog } from '../../../test/rotating-log.js'
import type { PatternClient } from '../sending/pattern-client.js'

let log: RotatingLog
beforeEach(async () => {
  log = await rotatingLog()
})
afterEach(() => log.close())

const YEAR = { key: '/a', from: '2026-01-01', to: '2028-01-01', consistent: true }
const HOUR = 3_600_000

describe('a rotation with another period than its catalog', () => {
  it.each([
    ['week', 'month'],
    ['month', 'day'],
    ['day', { every: '240h', from: '2026-01-01' }],
    [
      { every: '240h', from: '2026-01-01' },
      { every: '240h', from: '2026-01-02' },
    ],
  ] as const)('is refused: %j tables read by %j', async (given, other) => {
    // A Monday, and the first of a month.
    log.setTime('2026-06-01T12:00:00Z')
    await putAll(log.writer({ period: given }), ['2026-06-01T06:00:00Z', '2026-05-20T06:00:00Z'])
    const wrong = log.writer({ period: other })
    const refused = { code: 'rotation.catalog', message: /period/ }
    await expect(wrong.query(YEAR)).rejects.toMatchObject(refused)
    await expect(wrong.put({ file: '/a', at: '2026-06-01T07:00:00Z' })).rejects.toMatchObject(refused)
    await expect(wrong.archive('2026-05-20', { store: memoryStore() })).rejects.toMatchObject(refused)
    // Under another name, it may have the same catalog.
    const elsewhere = log.writer({ period: other, table: 'log_2', catalog: 'log_periods' })
    await putAll(elsewhere, ['2026-06-01T06:00:00Z'])
    expect((await everyPage(elsewhere, YEAR)).flat()).toEqual(['2026-06-01T06:00:00Z'])
  })

  it('is not refused for periods that are the same in other words', async () => {
    await putAll(log.writer({ period: 'day' }), ['2026-11-20T06:00:00Z'])
    const same = log.writer({ period: { every: '24h', from: '2026-01-01' } })
    expect((await everyPage(same, YEAR)).flat()).toEqual(['2026-11-20T06:00:00Z'])
  })
})

describe('a reading of the catalog that has no answer', () => {
  it('holds up no calls later than ten seconds', async () => {
    let unanswered = 1
    const send = (command: { readonly input: { readonly TableName?: string } }) =>
      command.input.TableName === 'log_periods' && unanswered-- > 0
        ? new Promise(() => {})
        : log.client.send(command as never)
    const db = { config: {}, middlewareStack: {}, send } as PatternClient
    const writer = log.writer({}, { db })
    const item = { file: '/a', at: '2026-11-20T12:00:00Z' }
    void writer.put(item)
    log.setTime('2026-11-20T12:00:09.999Z')
    void writer.put(item)
    log.setTime('2026-11-20T12:00:10Z')
    await writer.put(item)
    expect(await writer.get(item)).toEqual(item)
  })
})

describe('an item', () => {
  it('goes to the table of its own time, which is created for it', async () => {
    const writer = log.writer()
    await putAll(writer, ['2026-11-20T12:00:00Z', '2026-10-31T23:59:59.999Z', '2026-12-01T00:00:00Z'])
    expect(await log.tables()).toEqual(['log_2026-10', 'log_2026-11', 'log_2026-12'])
    expect(await everyPage(writer, { ...YEAR, limit: 100 })).toEqual([
      ['2026-10-31T23:59:59.999Z', '2026-11-20T12:00:00Z', '2026-12-01T00:00:00Z'],
    ])
    const key = { file: '/a', at: '2026-10-31T23:59:59.999Z' }
    expect(await writer.get(key)).toEqual(key)
    await writer.delete(key)
    expect(await writer.get(key, { consistent: true })).toBeUndefined()
    expect(await writer.get({ file: '/a', at: '2026-01-01T00:00:00Z' })).toBeUndefined()
  })

  it.each([
    ['week', ['2026-11-22T23:59:59Z', '2026-11-23T00:00:00Z'], ['log_2026-W47', 'log_2026-W48']],
    ['day', ['2026-11-19T23:59:59Z', '2026-11-20T00:00:00Z'], ['log_2026-11-19', 'log_2026-11-20']],
    // In floating point, this is not a whole number of milliseconds.
    [
      { every: '1.1h', from: '2026-01-01' },
      ['2026-11-20T09:35:59Z', '2026-11-20T09:36:00Z'],
      ['log_2026-11-20T083000Z', 'log_2026-11-20T093600Z'],
    ],
    [
      { every: '240h', from: '2026-01-01' },
      ['2026-11-16T23:59:59Z', '2026-11-17T00:00:00Z'],
      ['log_2026-11-07', 'log_2026-11-17'],
    ],
  ] as const)('has the table of its %j', async (period, times, tables) => {
    const writer = log.writer({ period })
    await putAll(writer, times)
    expect(await log.tables()).toEqual(tables)
    expect((await everyPage(writer, YEAR)).flat()).toEqual(times)
  })

  it.each([
    ['seconds', [1_793_491_199, 1_793_491_200]],
    ['milliseconds', [1_793_491_199_999, 1_793_491_200_000.5]],
  ] as const)('may have its time in %s', async (time, times) => {
    const writer = log.writer({ time })
    for (const at of times) await writer.put({ file: '/a', at })
    expect(await log.tables()).toEqual(['log_2026-10', 'log_2026-11'])
    expect((await everyPage(writer, YEAR)).flat()).toEqual(times.map(String))
  })

  it('may have its time in an id of the application', async () => {
    const time = {
      type: 'S' as const,
      toMilliseconds: (id: string | number) => Number.parseInt(String(id).slice(0, 9), 36),
      first: (milliseconds: number) => Math.floor(milliseconds).toString(36).padStart(9, '0'),
    }
    const writer = log.writer({ time })
    const ids = ['2026-10-31T23:59:59.999Z', '2026-11-01'].map((text) => `${time.first(Date.parse(text))}-x`)
    await putAll(writer, ids)
    expect(await log.tables()).toEqual(['log_2026-10', 'log_2026-11'])
    expect((await everyPage(writer, YEAR)).flat()).toEqual(ids)
  })

  it('may have its time in a number with more digits than JavaScript keeps', async () => {
    const EPOCH = 1_288_834_974_657
    const time = {
      type: 'N' as const,
      toMilliseconds: (id: string | number) => Math.floor(Number(id) / 2 ** 22) + EPOCH,
      first: (milliseconds: number) => (Math.floor(milliseconds) - EPOCH) * 2 ** 22,
    }
    const writer = log.writer({ time })
    const december = BigInt(Date.parse('2026-12-01') - EPOCH) << 22n
    const november = BigInt(Date.parse('2026-11-01') - EPOCH) << 22n
    const ids = [november, november + 1n, december - 1n, december]
    for (const at of ids) await writer.put({ file: '/a', at })
    const found = async (from: string, to: string) =>
      (await writer.query({ key: '/a', from, to })).items.map(({ at }) => at)
    expect(await found('2026-10-01', '2027-01-01')).toEqual(ids)
    expect(await found('2026-11-01', '2026-12-01')).toEqual(ids.slice(0, 3))
    expect(await found('2026-12-01', '2027-01-01')).toEqual([december])
    expect(await log.tables()).toEqual(['log_2026-11', 'log_2026-12'])
  })

  it('of two writers at the boundary is in one table, however far their clocks are apart', async () => {
    log.setTime('2026-11-30T23:59:59Z')
    const [slow, fast] = [log.writer(), log.writer({}, { skewMilliseconds: HOUR })]
    const times = ['2026-11-30T23:59:59.500Z', '2026-12-01T00:00:00.500Z']
    await Promise.all([
      putAll(slow, times),
      putAll(
        fast,
        times.map((at) => `${at}#fast`),
      ),
    ])
    expect(await log.tables()).toEqual(['log_2026-11', 'log_2026-12'])
    expect((await everyPage(fast, YEAR)).flat()).toEqual([
      '2026-11-30T23:59:59.500Z',
      '2026-11-30T23:59:59.500Z#fast',
      '2026-12-01T00:00:00.500Z',
      '2026-12-01T00:00:00.500Z#fast',
    ])
  })

  it('of a writer that was offline for two periods goes where it belongs', async () => {
    const offline = log.writer()
    await putAll(offline, ['2026-11-20T12:00:00Z'])
    log.setTime('2027-01-25T12:00:00Z')
    await putAll(log.writer(), ['2027-01-25T12:00:00Z'])
    await putAll(offline, ['2026-11-20T12:00:01Z', '2026-12-24T12:00:00Z', '2027-01-25T12:00:01Z'])
    expect(await log.tables()).toEqual(['log_2026-11', 'log_2026-12', 'log_2027-01'])
    expect((await everyPage(log.writer(), YEAR)).flat()).toHaveLength(5)
  })

  it('is written under a condition', async () => {
    const writer = log.writer()
    const item = { file: '/a', at: '2026-11-20T12:00:00Z' }
    const isNew = { condition: { expression: 'attribute_not_exists(#at)', names: { '#at': 'at' } } }
    await writer.put(item, isNew)
    await expect(writer.put(item, isNew)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
  })

  it.each(['month', 'week', 'day', { every: '240h', from: '2026-01-01' }] as const)(
    'with the first or the last time that there is gets no table of a %j',
    async (period) => {
      const writer = log.writer({ time: 'milliseconds', period })
      for (const at of [-8.64e15, 8.64e15])
        await expect(writer.put({ file: '/a', at })).rejects.toMatchObject({ code: 'rotation.out-of-range' })
    },
  )

  it('with a time far from now gets no table', async () => {
    const writer = log.writer({ maxPast: 2 })
    for (const at of ['2026-08-31T00:00:00Z', '2027-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
      await expect(writer.put({ file: '/a', at })).rejects.toMatchObject({ code: 'rotation.out-of-range' })
    }
    expect(await log.tables()).toEqual([])
    expect(await writer.periods()).toEqual([])
  })
})

describe('a table', () => {
  it('is created ahead by a writer when its period is near', async () => {
    const writer = log.writer()
    log.setTime('2026-11-30T22:30:00Z')
    await putAll(writer, ['2026-11-30T22:30:00Z'])
    expect(await log.tables()).toEqual(['log_2026-11'])
    log.setTime('2026-11-30T23:30:00Z')
    await putAll(writer, ['2026-11-30T23:30:00Z'])
    expect(await log.tables()).toEqual(['log_2026-11', 'log_2026-12'])
  })

  it('is created ahead by maintain(), with its indexes, before anything uses it', async () => {
    const made: string[] = []
    const onTable = async (table: string) => made.push(table)
    const definition = { ProvisionedThroughput: { ReadCapacityUnits: 50, WriteCapacityUnits: 200 } }
    const writer = log.writer({ definition, onTable })
    await writer.maintain()
    expect(await log.tables()).toEqual(['log_2026-11', 'log_2026-12'])
    expect(made).toEqual(['log_2026-11', 'log_2026-12'])
    const { Table } = await log.client.send(new DescribeTableCommand({ TableName: 'log_2026-12' }))
    expect(Table?.ProvisionedThroughput?.WriteCapacityUnits).toBe(200)
    expect((await writer.periods()).map(({ label, state }) => [label, state])).toEqual([
      ['2026-11', 'active'],
      ['2026-12', 'active'],
    ])
  })

  it('of the past is lowered, with its indexes, and no other', async () => {
    const units = (write: number) => ({ ReadCapacityUnits: 100, WriteCapacityUnits: write })
    const definition = {
      ProvisionedThroughput: units(200),
      AttributeDefinitions: ['file', 'at', 'user'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_user',
          KeySchema: [{ AttributeName: 'user', KeyType: 'HASH' as const }],
          Projection: { ProjectionType: 'KEYS_ONLY' as const },
          ProvisionedThroughput: units(150),
        },
      ],
    }
    const writer = log.writer({ definition, oldCapacity: { read: 5, write: 1 } })
    await putAll(writer, ['2026-10-20T12:00:00Z', '2026-11-20T12:00:00Z'])
    expect(await writer.maintain()).toEqual({ lowered: ['log_2026-10'] })
    const of = async (TableName: string) => {
      const { Table } = await log.client.send(new DescribeTableCommand({ TableName }))
      const index = Table?.GlobalSecondaryIndexes?.[0]?.ProvisionedThroughput?.WriteCapacityUnits
      return [Table?.ProvisionedThroughput?.WriteCapacityUnits, index]
    }
    expect(await of('log_2026-10')).toEqual([1, 1])
    expect(await of('log_2026-11')).toEqual([200, 150])
    expect(await writer.maintain()).toEqual({ lowered: [] })
  })

  it('that is missing is an error where writers create none, and nothing is written', async () => {
    const writer = log.writer({ create: false })
    await expect(writer.put({ file: '/a', at: '2026-11-20T12:00:00Z' })).rejects.toMatchObject({
      code: 'rotation.no-table',
    })
    expect(await log.tables()).toEqual([])
  })

  it('with another key is not used', async () => {
    await log.client.send(createTable('log_2026-11', ['id']))
    await expect(log.writer().put({ file: '/a', at: '2026-11-20T12:00:00Z' })).rejects.toMatchObject({
      code: 'rotation.no-table',
      message: expect.stringContaining('has the key id (S), and not file (S), at (S)'),
    })
  })

  it('can be used by commands of the application', async () => {
    const writer = log.writer()
    const TableName = await writer.tableFor({ file: '/a', at: '2026-11-20T12:00:00Z' })
    const Item = { file: { S: '/a' }, at: { S: '2026-11-20T12:00:00Z' } }
    await log.client.send(new PutItemCommand({ TableName, Item }))
    expect((await everyPage(writer, YEAR)).flat()).toHaveLength(1)
  })

  it('that exists from before is read when it was adopted', async () => {
    for (const name of ['log_2026-08', 'log_2026-10']) {
      await log.client.send(createTable(name, ['file', 'at']))
      const at = { S: `${name.slice(4)}-05T00:00:00Z` }
      await log.client.send(new PutItemCommand({ TableName: name, Item: { file: { S: '/a' }, at } }))
    }
    const reader = log.writer()
    expect(await reader.adopt('2026-01-01')).toEqual(['log_2026-08', 'log_2026-10'])
    expect((await everyPage(reader, YEAR)).flat()).toHaveLength(2)
    expect(await reader.adopt('2026-01-01')).toEqual([])
  })

  it('of one of too many periods is not looked for', async () => {
    const writer = log.writer({ period: { every: '1h', from: '2026-01-01' } })
    log.requests.length = 0
    await expect(writer.adopt('2025-01-01')).rejects.toMatchObject({
      code: 'options.invalid',
      message: expect.stringContaining('a moment of the last 10000 periods'),
    })
    expect(log.requests).toEqual([])
  })

  it('that exists from before is taken over', async () => {
    await log.client.send(createTable('log_2026-11', ['file', 'at']))
    await putAll(log.writer(), ['2026-11-20T12:00:00Z'])
    expect(log.requests.filter((request) => request.startsWith('CreateTable'))).toEqual([])
  })
})
