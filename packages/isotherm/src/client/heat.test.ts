import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { sdkClient } from '../../test/fake-client.js'
import { FakeTables, Refusal } from '../../test/fake-tables.js'
import { retryAtOnce } from '../../test/retry-at-once.js'
import { hotPartition } from '../../test/throttling.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'

async function setUp() {
  const keys = { partitionKey: 'pk', sortKey: 'at' }
  const tables = new FakeTables()
    .create('log', keys)
    .create('votes', keys)
    .create('log_shard_map', { partitionKey: 'pk' })
  const clock = new VirtualClock(1_800_000_000_000)
  const client = await sdkClient(tables)
  retryAtOnce(client)
  const db = isotherm(DynamoDBDocumentClient.from(client), {
    tables: {
      log: { ...keys, suffix: 'random', shards: dynamicShards({ initial: 2 }) },
      votes: { ...keys, suffix: 'random', shards: fixedShards(7) },
    },
    clock,
    random: new SeededRandom(5),
  })
  const put = async (TableName: string, pk: string, times: number) => {
    for (let at = 0; at < times; at++) await db.send(new PutCommand({ TableName, Item: { pk, at } }))
  }
  return { tables, clock, db, put }
}

describe('the heat of a client', () => {
  it('lists the hottest keys of each table, hottest first, with their shards and rates', async () => {
    const { clock, db, put } = await setUp()
    await put('log', 'cold', 5)
    await put('log', 'hot', 50)
    await put('votes', 'one', 1)
    expect(db.heat()).toEqual([
      {
        table: 'log',
        at: clock.now(),
        otherKeysAtMost: 0,
        keys: [
          {
            logicalKey: 'hot',
            shards: 2,
            recentUnits: 50,
            recentUnitsError: 0,
            offeredUnitsPerSecond: 10,
            acceptedUnitsPerSecond: 10,
            throttledUnitsPerSecond: 0,
          },
          expect.objectContaining({ logicalKey: 'cold', recentUnits: 5 }),
        ],
      },
      expect.objectContaining({
        table: 'votes',
        keys: [expect.objectContaining({ logicalKey: 'one', shards: 7 })],
      }),
    ])
  })

  it('gives an upper bound for keys that it does not list', async () => {
    const { db, put } = await setUp()
    await put('log', 'cold', 5)
    await put('log', 'hot', 50)
    expect(db.heat({ top: 1 })[0]).toMatchObject({ keys: [{ logicalKey: 'hot' }], otherKeysAtMost: 5 })
  })

  it('counts a throttle once for each write, also after an attempt without a response', async () => {
    const { tables, clock, db, put } = await setUp()
    const failures = [new Refusal('InternalServerError', 'No answer.'), hotPartition(), hotPartition()]
    tables.beforeWrite = () => {
      const failure = failures.shift()
      if (failure !== undefined) throw failure
    }
    await clock.run(() => put('votes', 'hot', 1))
    expect(failures).toEqual([])
    expect(db.heat()[1]?.keys[0]).toMatchObject({ logicalKey: 'hot', throttledUnitsPerSecond: 1 / 5 })
  })

  it('sends no request, and cools with time', async () => {
    const { tables, clock, db, put } = await setUp()
    await put('log', 'hot', 40)
    const before = tables.requests.length
    clock.advance(10_000)
    expect(db.heat()[0]?.keys[0]).toMatchObject({ recentUnits: 10, offeredUnitsPerSecond: 0 })
    expect(tables.requests).toHaveLength(before)
  })

  it.each([{ top: 0 }, { top: 257 }, { tables: 1 }])('is rejected for %j', async (options) => {
    const { db } = await setUp()
    expect(() => db.heat(options)).toThrow(/^heat\./)
  })
})
