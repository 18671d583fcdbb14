import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { afterEach, describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermEvent } from '../events/event.js'
import { fixedShards } from '../scaling/shards.js'
import { calculated } from '../writes/calculated.js'

const HOT_PARTITION = ['TableReadKeyRangeThroughputExceeded']
const HOT_INDEX = ['IndexReadKeyRangeThroughputExceeded']
const SMALL_TABLE = ['TableReadProvisionedThroughputExceeded']

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const local of open.splice(0)) await local.close()
})

/** A table with the items 1 to 6 of the key `k` in four shards, and a client whose next reads are throttled. */
async function setUp(suffix: 'random' | 'calculated') {
  const clock = new VirtualClock(1_800_000_000_000)
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  open.push(local)
  const client = await warmedUp(local.client())
  await client.send(createTable('log', ['pk', 'at:N'], { global: { copy: ['pk', 'at:N'] } }))
  const next: (readonly string[])[] = []
  const events: IsothermEvent[] = []
  throttleNext(client, next)
  const db = isotherm(client, {
    tables: {
      log: {
        partitionKey: 'pk',
        sortKey: 'at',
        suffix: suffix === 'random' ? suffix : calculated(),
        shards: fixedShards(4),
        readReplicas: [],
      },
    },
    clock,
    random: new SeededRandom(2),
    onEvent: (event) => events.push(event),
  })
  const Key = (at: number) => ({ pk: { S: 'k' }, at: { N: String(at) } })
  for (let at = 1; at <= 6; at++) {
    const Item = { ...Key(at), text: { S: 'x'.repeat(6_000) } }
    await db.send(new PutItemCommand({ TableName: 'log', Item }))
  }
  const reads = () => db.heat()[0]?.reads
  return { clock, db, next, events, Key, reads }
}

/** Throttles one attempt for each entry, with its reasons. */
function throttleNext(client: DynamoDBClient, next: (readonly string[])[]): void {
  client.middlewareStack.add(
    (handler) => async (args) => {
      const reasons = next.shift()
      if (reasons === undefined) return handler(args)
      throw Object.assign(new Error('Too much.'), {
        name: 'ProvisionedThroughputExceededException',
        $metadata: { httpStatusCode: 400 },
        ThrottlingReasons: reasons.map((reason) => ({ reason })),
      })
    },
    // Below the attempts that the library observes.
    { step: 'deserialize', priority: 'high', name: 'throttleNext' },
  )
}

const query = () =>
  new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: 'pk = :k',
    ExpressionAttributeValues: { ':k': { S: 'k' } },
  })

describe('a throttled read', () => {
  it('of one item emits an event, and its units are heat of the key', async () => {
    const { clock, db, next, events, Key, reads } = await setUp('calculated')
    const get = () => new GetItemCommand({ TableName: 'log', Key: Key(1), ConsistentRead: true })
    await db.send(get())
    expect(events).toEqual([])
    expect(reads()?.keys).toEqual([
      {
        logicalKey: 'k',
        shards: 4,
        recentUnits: 2,
        recentUnitsError: 0,
        offeredUnitsPerSecond: 2 / 5,
        acceptedUnitsPerSecond: 2 / 5,
        throttledUnitsPerSecond: 0,
      },
    ])
    next.push(HOT_PARTITION, HOT_PARTITION)
    await clock.run(() => db.send(get()))
    const about = {
      type: 'throttled',
      table: 'log',
      logicalKey: 'k',
      shard: expect.any(Number),
      scope: 'partition',
      reasons: HOT_PARTITION,
      access: 'read',
      at: expect.any(Number),
    }
    expect(events).toEqual([
      { ...about, attempt: 1 },
      { ...about, attempt: 2 },
    ])
    const [heat] = reads()?.keys ?? []
    expect(heat?.acceptedUnitsPerSecond).toBeCloseTo(4 / 5)
    expect(heat?.throttledUnitsPerSecond).toBeGreaterThan(0)
    expect(heat?.throttledUnitsPerSecond).toBeLessThan(2 / 5)
    // Writes are counted by themselves, as before.
    expect(db.heat()[0]?.keys).toMatchObject([{ logicalKey: 'k', offeredUnitsPerSecond: 36 / 5 }])
  })

  it('of an item in any of its shards names the first shard of the batch', async () => {
    const { clock, db, next, events, Key, reads } = await setUp('random')
    next.push(HOT_PARTITION)
    await clock.run(() =>
      db.send(new GetItemCommand({ TableName: 'log', Key: Key(1), ConsistentRead: true })),
    )
    expect(events).toMatchObject([{ type: 'throttled', shard: 1, scope: 'partition', access: 'read' }])
    // One shard has the item of two units, and each of the others costs one.
    expect(reads()?.keys[0]?.acceptedUnitsPerSecond).toBeCloseTo(5 / 5)
  })

  it('of a query emits an event for its shard', async () => {
    const { clock, db, next, events, reads } = await setUp('random')
    const { Items = [] } = await db.send(query())
    // A query rounds the items of a shard together.
    const units = reads()?.keys[0]?.acceptedUnitsPerSecond ?? 0
    expect(units).toBeGreaterThan((6 * 0.5 * 1.4) / 5)
    next.push(HOT_PARTITION)
    expect((await clock.run(() => db.send(query()))).Items).toEqual(Items)
    expect(events).toMatchObject([
      { type: 'throttled', logicalKey: 'k', attempt: 1, scope: 'partition', access: 'read' },
    ])
    expect(events[0]).not.toHaveProperty('index')
    expect(reads()?.keys[0]?.acceptedUnitsPerSecond).toBeCloseTo(2 * units)
  })

  it.each([
    [
      'a batch',
      (Keys: ReturnType<Awaited<ReturnType<typeof setUp>>['Key']>[]) =>
        new BatchGetItemCommand({ RequestItems: { log: { Keys, ConsistentRead: true } } }),
      4,
    ],
    [
      'a transaction',
      (Keys: ReturnType<Awaited<ReturnType<typeof setUp>>['Key']>[]) =>
        new TransactGetItemsCommand({
          TransactItems: Keys.map((Key) => ({ Get: { TableName: 'log', Key } })),
        }),
      8,
    ],
  ] as const)('of %s emits an event for each of its items', async (_what, command, units) => {
    const { clock, db, next, events, Key, reads } = await setUp('calculated')
    next.push(HOT_PARTITION)
    await clock.run(() => db.send(command([Key(1), Key(2)]) as BatchGetItemCommand))
    const about = { type: 'throttled', logicalKey: 'k', attempt: 1, scope: 'partition', access: 'read' }
    expect(events).toMatchObject([about, about])
    expect(reads()?.keys[0]?.acceptedUnitsPerSecond).toBeCloseTo(units / 5)
  })

  it('of many keys has an event of its own', async () => {
    const { clock, db, next, events } = await setUp('random')
    next.push(HOT_PARTITION, HOT_PARTITION)
    const { Items } = await clock.run(() => db.send(new ScanCommand({ TableName: 'log' })))
    expect(Items).toHaveLength(6)
    const about = { type: 'scan-throttled', table: 'log', scope: 'partition', reasons: HOT_PARTITION }
    expect(events).toMatchObject([
      { ...about, attempt: 1 },
      { ...about, attempt: 2 },
    ])
  })

  it('of an index names the index, and is no heat of the table', async () => {
    const { clock, db, next, events, reads } = await setUp('random')
    next.push(HOT_INDEX)
    const { input } = query()
    await clock.run(() =>
      db.send(
        new QueryCommand({
          ...input,
          IndexName: 'copy',
          KeyConditionExpression: 'pk = :k AND at > :zero',
          ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ':zero': { N: '0' } },
        }),
      ),
    )
    expect(events).toMatchObject([
      { type: 'throttled', logicalKey: 'k', scope: 'index', access: 'read', index: 'copy' },
    ])
    expect(reads()).toBeUndefined()
  })

  it('of a small table is reported once a second, beside writes', async () => {
    const { clock, db, next, events, Key } = await setUp('calculated')
    next.push(SMALL_TABLE, SMALL_TABLE)
    await clock.run(() => db.send(new GetItemCommand({ TableName: 'log', Key: Key(1) })))
    next.push(['TableWriteProvisionedThroughputExceeded'])
    await clock.run(() =>
      db.send(new PutItemCommand({ TableName: 'log', Item: { ...Key(9), text: { S: 'x' } } })),
    )
    const tableThrottled = events.filter(({ type }) => type === 'table-throttled')
    expect(tableThrottled).toMatchObject([{ access: 'read', reasons: SMALL_TABLE }, { access: 'write' }])
  })
})

describe('the heat of reads', () => {
  it('is bounded, and keeps a hot key in sight', async () => {
    const { db, Key, reads } = await setUp('calculated')
    for (let number = 0; number < 600; number++) {
      await db.send(new GetItemCommand({ TableName: 'log', Key: { ...Key(1), pk: { S: `cold ${number}` } } }))
      if (number % 10 === 0) await db.send(new GetItemCommand({ TableName: 'log', Key: Key(1) }))
    }
    const { keys = [], otherKeysAtMost = 0 } = db.heat({ top: 256 })[0]?.reads ?? {}
    expect(keys).toHaveLength(256)
    expect(otherKeysAtMost).toBeGreaterThan(0)
    expect(reads()?.keys[0]?.logicalKey).toBe('k')
  })
})
