import { type DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermMethods } from '../client/isotherm-methods.js'
import type { IsothermEvent } from '../events/event.js'
import { growByReads } from './grow-by-reads.js'
import { type DynamicShardsOptions, dynamicShards } from './shards.js'

type Client = DynamoDBClient & IsothermMethods

interface ReadLoad {
  readonly suffix: 'random' | 'calculated'
  readonly shards: DynamicShardsOptions
  readonly itemBytes: number
  readonly read: (db: Client, at: number) => Promise<unknown>
}

const ITEMS = 40

/** Reads of one key, fifty a second, of which the service throttles six of ten attempts. @returns the changes of its count */
async function countsAt({ suffix, shards, itemBytes, read }: ReadLoad): Promise<readonly number[]> {
  const clock = new VirtualClock(1_800_000_000_000)
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false, metrics: false })
  const client = await warmedUp(local.client())
  await client.send(createTable('log', ['pk', 'at:N']))
  await client.send(createTable('log_shard_map', ['pk']))
  const text = { S: 'x'.repeat(itemBytes) }
  for (let at = 0; at < ITEMS; at++) {
    const Item = { pk: { S: 'k' }, at: { N: String(at) }, text }
    await client.send(new PutItemCommand({ TableName: 'log', Item }))
  }
  throttleReads(client, new SeededRandom(2))
  const events: IsothermEvent[] = []
  const db = isotherm(client, {
    tables: {
      log: { partitionKey: 'pk', sortKey: 'at', suffix, adopt: true, shards: dynamicShards(shards) },
    },
    clock,
    random: new SeededRandom(3),
    onEvent: (event) => events.push(event),
  })
  await clock.run(async () => {
    const reads: Promise<unknown>[] = []
    for (let at = 0; at < 400; at++) {
      reads.push(read(db, at % ITEMS).catch(() => {}))
      await clock.sleep(20)
    }
    await Promise.all(reads)
  })
  db.destroy()
  await local.close()
  expect(events.filter(({ type }) => type === 'failed')).toEqual([])
  expect(events.some((event) => event.type === 'throttled' && event.access === 'read')).toBe(true)
  return events.flatMap((event) =>
    event.type === 'announced' || (event.type === 'scaled' && event.reason !== 'announced') ? [event.to] : [],
  )
}

function throttleReads(client: DynamoDBClient, random: SeededRandom): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const { TableName } = args.input as { TableName?: string }
        const isRead = /^(?:GetItem|BatchGetItem|Query)/.test(commandName) && TableName !== 'log_shard_map'
        if (!isRead || random.next() > 0.6) return next(args)
        throw Object.assign(new Error('Too much.'), {
          name: 'ThrottlingException',
          $metadata: { httpStatusCode: 400 },
          throttlingReasons: [{ reason: 'TableReadKeyRangeThroughputExceeded' }],
        })
      },
    { step: 'deserialize', priority: 'high', name: 'throttleReads' },
  )
}

const get = (db: Client, at: number) =>
  db.send(new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'k' }, at: { N: String(at) } } }))

const query = (db: Client) =>
  db.send(
    new QueryCommand({
      TableName: 'log',
      KeyConditionExpression: 'pk = :k',
      ExpressionAttributeValues: { ':k': { S: 'k' } },
    }),
  )

/** Small limits, so that few reads are enough. */
const BY_READS = { reads: growByReads({ partitionUnitsPerSecond: 10 }) }
const BY_QUERIES = { reads: growByReads({ partitionUnitsPerSecond: 200 }) }

describe('throttled reads', () => {
  it('of single items add shards with a calculated suffix', async () => {
    const load = { suffix: 'calculated', itemBytes: 100, read: get } as const
    const [first = 0] = await countsAt({ ...load, shards: BY_READS })
    expect(first).toBeGreaterThanOrEqual(3)
    expect(await countsAt({ ...load, shards: {} })).toEqual([])
  })

  it('add as many shards where a partition takes few write units', async () => {
    const load = { suffix: 'calculated', itemBytes: 100, read: get } as const
    const counts = await countsAt({ ...load, shards: BY_READS })
    for (const partitionUnitsPerSecond of [3, 10]) {
      expect(await countsAt({ ...load, shards: { ...BY_READS, partitionUnitsPerSecond } })).toEqual(counts)
    }
  })

  it('of large queries add shards with a random suffix', async () => {
    const load = { suffix: 'random', itemBytes: 4_000, read: query } as const
    const counts = await countsAt({ ...load, shards: BY_QUERIES })
    expect(counts.length).toBeGreaterThan(0)
    // The key has 160 KB.
    expect(Math.max(...counts)).toBeLessThanOrEqual(10)
    expect(await countsAt({ ...load, shards: {} })).toEqual([])
  })

  it('add none where each read would ask all of them', async () => {
    expect(
      await countsAt({ suffix: 'random', itemBytes: 20, read: query, shards: BY_READS }),
      'small queries',
    ).toEqual([])
    expect(
      await countsAt({ suffix: 'random', itemBytes: 9_000, read: get, shards: BY_READS }),
      'single items',
    ).toEqual([])
  })

  it('of one item add none', async () => {
    const read = (db: Client) => get(db, 7)
    expect(await countsAt({ suffix: 'calculated', itemBytes: 100, read, shards: BY_READS })).toEqual([])
  })

  it('need a limit of a partition that is a number', () => {
    for (const partitionUnitsPerSecond of [0, 1.5, Number.NaN]) {
      expect(() => growByReads({ partitionUnitsPerSecond })).toThrow(
        expect.objectContaining({ code: 'options.invalid' }),
      )
    }
    expect(() => dynamicShards({ reads: true as never })).toThrow(/growByReads\(\)/)
  })
})
