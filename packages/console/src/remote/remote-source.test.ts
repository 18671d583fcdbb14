import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tableList } from '../server/table-list.js'
import { remoteShop } from './remote.fixture.js'

const MINUTE = 60_000
const shop = { region: 'us-east-1', table: 'shop', index: undefined }

describe('the figures that an endpoint publishes', () => {
  let remote: Awaited<ReturnType<typeof remoteShop>>
  beforeAll(async () => {
    remote = await remoteShop()
  })
  afterAll(() => remote.local.close())

  const lastMinutes = (minutes: number) => {
    const to = remote.clock.now()
    return { from: to - minutes * MINUTE, to, columns: 300 }
  }

  it('are its tables, with their shard maps', async () => {
    expect(await remote.source.tables()).toMatchObject([
      { name: 'quiet', delimiter: '', shardMap: undefined },
      { name: 'shop', delimiter: '_', shardMap: 'shop_shard_map' },
      { name: 'shop_shard_map' },
    ])
  })

  it('are units and throttles of whole minutes, by reason', async () => {
    const { seconds, columns } = await remote.source.heat(shop, lastMinutes(10))
    expect(seconds).toBe(60)
    expect(columns).toHaveLength(1)
    const [[, total] = [], ...others] = [...(columns[0]?.frame.partitions ?? [])]
    expect(others).toEqual([])
    expect(total?.writeUnits).toBeGreaterThan(1_000)
    expect(total?.partitionThrottles).toBe(1_600 - (total?.writeUnits ?? 0))
    expect([...(columns[0]?.frame.reasons ?? [])]).toEqual([
      ['TableWriteKeyRangeThroughputExceeded', total?.partitionThrottles],
    ])
  })

  it('are keys where Contributor Insights is on, and otherwise the reason why there are none', async () => {
    const { columns } = await remote.source.heat(shop, lastMinutes(10))
    const keys = new Map([...(columns[0]?.frame.keys ?? [])].map(([{ values }, cell]) => [values[0], cell]))
    const sale = keys.get('/sale_1')
    expect(sale?.writeUnits).toBeGreaterThan(500)
    expect(sale?.peak).toBeCloseTo((sale?.writeUnits ?? 0) / 60 / 1_000)
    expect(keys.get('/page/8_1')?.writeUnits).toBeGreaterThan(0)
    const notes = await remote.source.notes?.(shop)
    expect(notes?.join(' ')).toMatch(/averages of minutes.*25 with the most traffic/)
    const quiet = await remote.source.notes?.({ ...shop, table: 'quiet' })
    expect(quiet?.join(' ')).toContain(
      'Contributor Insights is off for quiet. Turn it on in DynamoDB, or for a time with: isotherm hot --table quiet --enable',
    )
    expect(await remote.source.partitions(shop)).toEqual([])
    expect(remote.source.offers?.noPartitions).toContain('does not say how its tables are divided')
  })

  it('cost the same for many pages: each question is asked once a minute', async () => {
    await tableList(remote.source)
    const before = new Map(remote.asked)
    for (let page = 0; page < 20; page++) {
      await Promise.all([remote.source.heat(shop, lastMinutes(10)), tableList(remote.source)])
    }
    expect(remote.asked).toEqual(before)
    await remote.clock.run(() => remote.clock.sleep(MINUTE))
    await remote.source.heat(shop, lastMinutes(10))
    await remote.source.heat(shop, lastMinutes(10))
    expect(remote.asked.get('GetMetricDataCommand')).toBe((before.get('GetMetricDataCommand') ?? 0) + 1)
  })

  it('are the latest rates of all tables, hottest first', async () => {
    await remote.clock.run(() => remote.clock.sleep(6 * MINUTE))
    const Item = { id: { S: 'news_1' } }
    const writer = remote.local.client()
    for (let at = 0; at < 60; at++) await writer.send(new PutItemCommand({ TableName: 'shop', Item }))
    await remote.clock.run(() => remote.clock.sleep(MINUTE))
    const { tables, offers } = await tableList(remote.source)
    expect(tables[0]).toMatchObject({ name: 'shop', writes: 1, peak: 0 })
    expect(offers?.endpoint).toBe('a distant endpoint')
  })

  it('are the histories of a shard map', async () => {
    expect((await remote.source.shardMap('us-east-1', 'shop')).keys).toEqual([
      {
        key: '/sale',
        shards: 4,
        phase: 'settled',
        counts: [expect.objectContaining({ count: 1 }), expect.objectContaining({ count: 4 })],
        reasons: {},
      },
    ])
  })
})

describe('an endpoint that refuses', () => {
  it('is explained in one sentence, and the tables are listed without figures', async () => {
    const refusing = { send: () => Promise.reject(Object.assign(new Error('no'), { name: 'AccessDenied' })) }
    const remote = await remoteShop({ cloudWatch: refusing as never })
    const sentence =
      'cloudwatch:GetMetricData failed: AccessDenied: no. Give the credentials of this console that permission.'
    const request = { from: remote.clock.now() - MINUTE * 10, to: remote.clock.now(), columns: 10 }
    await expect(remote.source.heat(shop, request)).rejects.toThrow(sentence)
    const list = await tableList(remote.source)
    expect(list.noFigures).toBe(sentence)
    expect(list.tables).toHaveLength(3)
    await remote.local.close()
  })

  it('needs no permission to list tables that are named', async () => {
    const remote = await remoteShop({ tables: ['shop'] })
    expect((await remote.source.tables()).map(({ name }) => name)).toEqual(['shop'])
    expect(remote.asked.get('ListTablesCommand')).toBeUndefined()
    await remote.local.close()
  })
})
