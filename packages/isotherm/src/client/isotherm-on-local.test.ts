import {
  type DynamoDBClient,
  PutItemCommand,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import type { IsothermEvent } from '../events/event.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { dynamicShards, type FixedShards, fixedShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'

const ITEM_UNITS = 20
const ITEM_TEXT = 'x'.repeat(ITEM_UNITS * 1_024 - 200)

const LOG_KEY = ['file_path', 'accessed_at:N'] as const

function putOf(table: string, at: number, text = 'x'): PutItemCommand {
  const item = { file_path: { S: '/hot' }, accessed_at: { N: String(at) }, text: { S: text } }
  return new PutItemCommand({ TableName: table, Item: item })
}

const ofHotFile = (table: string): QueryCommandInput => ({
  TableName: table,
  KeyConditionExpression: 'file_path = :file',
  ExpressionAttributeValues: { ':file': { S: '/hot' } },
})

async function timesOf(client: DynamoDBClient, input: QueryCommandInput, pageSize?: number) {
  const times: number[] = []
  const how = pageSize === undefined ? { client } : { client, pageSize }
  for await (const { Items = [] } of paginateQuery(how, input)) {
    times.push(...Items.map(({ accessed_at }) => Number(accessed_at?.N)))
  }
  return times
}

function shardedLog(client: DynamoDBClient, clock: VirtualClock, shards: FixedShards) {
  return isotherm(client, {
    tables: { log: { partitionKey: 'file_path', sortKey: 'accessed_at', suffix: 'random', shards } },
    clock,
    random: new SeededRandom(11),
  })
}

describe('a hot key on an engine whose partitions throttle', () => {
  it('grows until it is throttled no more, and reads back exactly what was acknowledged', async () => {
    const clock = new VirtualClock()
    const local = createLocal({ clock, random: new SeededRandom(1) })
    const events: IsothermEvent[] = []
    const client = await warmedUp(local.client())
    const written: number[] = []
    let late = 0
    const db = isotherm(client, {
      tables: {
        log: {
          partitionKey: 'file_path',
          sortKey: 'accessed_at',
          suffix: 'random',
          shards: dynamicShards({ cooldown: '5s', jitter: ['500ms', '1s'] }),
        },
      },
      clock,
      random: new SeededRandom(2),
      onEvent: (event) => events.push(event),
    })
    await clock.run(async () => {
      await client.send(createTable('log', LOG_KEY))
      await ensureShardMap(client, { table: 'log', clock })
      const from = clock.now()
      const writes: Promise<void>[] = []
      for (let at = 0; at < 125 * 60; at++) {
        await clock.sleep(8)
        const isLate = clock.now() - from > 45_000
        const write = db.send(putOf('log', at, ITEM_TEXT)).then(
          () => void written.push(at),
          () => {
            if (isLate) late += 1
          },
        )
        writes.push(write)
      }
      await Promise.all(writes)
      const read = await timesOf(db, ofHotFile('log'))
      expect(read).toEqual(written.toSorted((a, b) => a - b))
    })
    const scaled = events.filter((event) => event.type === 'scaled')
    expect(scaled.length).toBeGreaterThanOrEqual(1)
    expect(scaled.length).toBeLessThanOrEqual(4)
    expect(late).toBeLessThan(125 * 15 * 0.01)
    await local.close()
  }, 60_000)

  it('returns the same pages as an unsharded table', async () => {
    const clock = new VirtualClock()
    const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
    const client = await warmedUp(local.client())
    const db = shardedLog(client, clock, fixedShards(10))
    await clock.run(async () => {
      await client.send(createTable('log', LOG_KEY))
      await client.send(createTable('plain', LOG_KEY))
      for (let at = 0; at < 300; at++) {
        await db.send(putOf('log', at, `text ${at % 7}`))
        await client.send(putOf('plain', at, `text ${at % 7}`))
      }
      const variants: Partial<QueryCommandInput>[] = [
        {},
        { ScanIndexForward: false },
        { KeyConditionExpression: 'file_path = :file AND accessed_at BETWEEN :from AND :to' },
        { KeyConditionExpression: 'file_path = :file AND accessed_at > :from', ScanIndexForward: false },
      ]
      for (const variant of variants) {
        const bounds = { ':from': { N: '40' }, ':to': { N: '222' } }
        const text = variant.KeyConditionExpression ?? ''
        const ExpressionAttributeValues = {
          ':file': { S: '/hot' },
          ...Object.fromEntries(Object.entries(bounds).filter(([name]) => text.includes(name))),
        }
        for (const pageSize of [1, 7, 300]) {
          const sharded = { ...ofHotFile('log'), ...variant, ExpressionAttributeValues }
          const plain = { ...ofHotFile('plain'), ...variant, ExpressionAttributeValues }
          expect(await timesOf(db, sharded, pageSize)).toEqual(await timesOf(client, plain, pageSize))
        }
      }
    })
    await local.close()
  }, 60_000)

  it('rejects the cursor of another key, and reads a page for few more units than it contains', async () => {
    const clock = new VirtualClock()
    const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
    const client = await warmedUp(local.client())
    const db = shardedLog(client, clock, fixedShards(10))
    await clock.run(async () => {
      await client.send(createTable('log', LOG_KEY))
      for (let at = 0; at < 400; at++) await db.send(putOf('log', at, 'x'.repeat(4_000)))
      const page = await db.send(
        new QueryCommand({ ...ofHotFile('log'), Limit: 100, ReturnConsumedCapacity: 'TOTAL' }),
      )
      // 100 items of 4 KB take 50 units unsharded. The shares of ten shards vary by a standard deviation.
      expect(page.Items).toHaveLength(100)
      expect(page.ConsumedCapacity?.CapacityUnits).toBeLessThanOrEqual(50 * 1.6)
      const large = await db.send(
        new QueryCommand({ ...ofHotFile('log'), Limit: 400, ReturnConsumedCapacity: 'TOTAL' }),
      )
      // 400 items have 1.6 MB, and a page has at most 1 MB for any limit.
      expect(large.Count).toBeGreaterThan(250)
      expect(large.Count).toBeLessThan(270)
      expect(large.ConsumedCapacity?.CapacityUnits).toBeLessThanOrEqual(130 * 1.5)
      const forged = { file_path: { S: '/other_1' }, accessed_at: { N: '1' } }
      await expect(
        db.send(new QueryCommand({ ...ofHotFile('log'), ExclusiveStartKey: forged })),
      ).rejects.toMatchObject({ code: 'cursor.invalid' })
    })
    await local.close()
  }, 60_000)
})
