import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, SPENT_INDEXES } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermMethods } from '../client/isotherm-methods.js'
import type { IsothermEvent } from '../events/event.js'
import { ensureShardMap } from '../protocol/index.js'
import { dynamicShards } from '../scaling/shards.js'

const INDEX = 'by_status'

interface Fixture {
  readonly clock: VirtualClock
  readonly client: DynamoDBClient
  readonly events: readonly IsothermEvent[]
  /** A client of another process. */
  open(): DynamoDBClient & IsothermMethods
  close(): Promise<void>
}

interface FixtureOptions {
  readonly units?: number
  /** The options of the table besides its key and its index. */
  readonly table?: object
  readonly index?: object
  readonly key?: readonly [string, string?]
  readonly indexKey?: readonly [string, string?]
}

/** A table with one dynamic index, whose partitions throttle. */
async function fixture({
  units = 20_000,
  table = {},
  index = {},
  key = ['file'],
  indexKey,
}: FixtureOptions = {}) {
  const clock = new VirtualClock()
  const local = createLocal({ ...SPENT_INDEXES, clock, random: new SeededRandom(1), metrics: false })
  const client = await warmedUp(local.client({ maxAttempts: 1 }))
  const events: IsothermEvent[] = []
  await clock.run(async () => {
    await client.send(
      createTable('files', key, { units, global: { [INDEX]: indexKey ?? ['isotherm_by_status', 'at:N'] } }),
    )
    await ensureShardMap(client, { table: 'files', clock })
  })
  let processes = 0
  const made: Fixture = {
    clock,
    client,
    events,
    open: () =>
      isotherm(client, {
        tables: {
          files: {
            partitionKey: key[0].split(':')[0] ?? '',
            ...(key[1] === undefined ? {} : { sortKey: key[1] }),
            indexes: {
              [INDEX]: { partitionKey: 'status', sortKey: 'at', shards: dynamicShards(), ...index },
            },
            ...table,
          },
        },
        clock,
        random: new SeededRandom(++processes),
        onEvent: (event) => events.push(event),
      }),
    close: () => local.close(),
  }
  return made
}

/** Large, so that few writes are hot. */
const ITEM_UNITS = 20
const text = { S: 'x'.repeat(ITEM_UNITS * 1_024 - 200) }

const itemAt = (at: number, status = 'open') => ({
  text,
  file: { S: `file ${at}` },
  status: { S: status },
  at: { N: String(at) },
})

/** Writes at a constant rate, each without waiting for the others. @returns how many were accepted */
async function atRate(
  clock: VirtualClock,
  perSecond: number,
  count: number,
  write: (at: number) => Promise<unknown>,
) {
  const writes: Promise<boolean>[] = []
  for (let at = 0; at < count; at++) {
    await clock.sleep(1_000 / perSecond)
    writes.push(
      write(at).then(
        () => true,
        () => false,
      ),
    )
  }
  return (await Promise.all(writes)).filter((isAccepted) => isAccepted).length
}

async function queried(db: DynamoDBClient, status: string, limit = 1_000): Promise<readonly string[]> {
  const found: string[] = []
  let ExclusiveStartKey: Record<string, never> | undefined
  do {
    const page = await db.send(
      new QueryCommand({
        TableName: 'files',
        IndexName: INDEX,
        KeyConditionExpression: '#status = :status',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':status': { S: status } },
        Limit: limit,
        ExclusiveStartKey,
      }),
    )
    found.push(...(page.Items ?? []).map(({ file }) => file?.S ?? ''))
    ExclusiveStartKey = page.LastEvaluatedKey as typeof ExclusiveStartKey
  } while (ExclusiveStartKey !== undefined)
  return found
}

function countsIn(events: readonly IsothermEvent[]) {
  return events.flatMap((event) => (event.type === 'scaled' ? [event] : []))
}

describe('an index with dynamic counts', () => {
  it('grows, and not the keys of its table, if the table is sharded as well', async () => {
    const { clock, events, open, close } = await fixture({
      key: ['folder', 'file'],
      table: { suffix: 'random', shards: dynamicShards() },
    })
    const db = open()
    await clock.run(async () => {
      const accepted = await atRate(clock, 125, 3_000, (at) => {
        const Item = { ...itemAt(at), folder: { S: `folder ${at % 10}` } }
        return db.send(new PutItemCommand({ TableName: 'files', Item }))
      })
      expect(accepted / 3_000).toBeGreaterThan(0.7)
      const scaled = countsIn(events)
      expect(scaled.length).toBeGreaterThan(0)
      expect(scaled.every(({ index, logicalKey }) => index === INDEX && logicalKey === 'open')).toBe(true)
      expect(db.heat().map(({ index }) => index)).toEqual([undefined, INDEX])
      expect((await queried(db, 'open')).length).toBe(accepted)
    })
    await close()
  }, 120_000)

  it('grows the value whose partition throttles the table, and no other', async () => {
    const { clock, events, open, close } = await fixture()
    const db = open()
    await clock.run(async () => {
      const accepted = await atRate(clock, 125, 5_000, (at) =>
        db.send(
          new PutItemCommand({ TableName: 'files', Item: itemAt(at, at % 50 === 0 ? 'late' : 'open') }),
        ),
      )
      expect(accepted / 5_000).toBeGreaterThan(0.85)
      const scaled = countsIn(events)
      expect(scaled.length).toBeGreaterThan(0)
      expect(scaled.every(({ index, logicalKey }) => index === INDEX && logicalKey === 'open')).toBe(true)
      expect(events.find(({ type }) => type === 'throttled')).toMatchObject({
        table: 'files',
        index: INDEX,
        logicalKey: 'open',
        scope: 'index',
        reasons: ['IndexWriteKeyRangeThroughputExceeded'],
      })
      const [heat] = db.heat()
      expect(heat).toMatchObject({ table: 'files', index: INDEX })
      expect(heat?.keys[0]).toMatchObject({ logicalKey: 'open', shards: scaled.at(-1)?.to })
      expect((await queried(db, 'late')).length).toBeGreaterThan(90)
    })
    await close()
  }, 120_000)

  it('grows by batches to a table that is sharded as well', async () => {
    const { clock, events, open, close } = await fixture({
      key: ['folder', 'file'],
      table: { suffix: 'random', shards: dynamicShards() },
    })
    const db = open()
    let left = 0
    await clock.run(async () => {
      await atRate(clock, 5, 100, async (batch) => {
        const files = Array.from({ length: 25 }, (_, at) => ({
          PutRequest: { Item: { ...itemAt(25 * batch + at), folder: { S: 'f' } } },
        }))
        const output = await db.send(new BatchWriteItemCommand({ RequestItems: { files } }))
        left += output.UnprocessedItems?.files?.length ?? 0
      })
    })
    expect(countsIn(events).some(({ index, logicalKey }) => index === INDEX && logicalKey === 'open')).toBe(
      true,
    )
    expect(left / 2_500).toBeLessThan(0.1)
    await close()
  }, 240_000)

  it('sends the unprocessed members of a batch again', async () => {
    const { clock, open, close } = await fixture()
    const db = open()
    let left = 0
    await clock.run(async () => {
      await atRate(clock, 5, 200, async (batch) => {
        const files = Array.from({ length: 25 }, (_, at) => ({
          PutRequest: { Item: itemAt(25 * batch + at) },
        }))
        const output = await db.send(new BatchWriteItemCommand({ RequestItems: { files } }))
        left += output.UnprocessedItems?.files?.length ?? 0
      })
      expect((await queried(db, 'open')).length).toBe(5_000 - left)
    })
    expect(left / 5_000).toBeLessThan(0.1)
    await close()
  }, 240_000)
})
