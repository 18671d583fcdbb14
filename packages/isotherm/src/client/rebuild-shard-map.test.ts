import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { scanned } from '../../test/sharded-engine.js'
import { warmedUp } from '../../test/warmed-up.js'
import type { IsothermEvent } from '../events/event.js'
import { CARD_KEY } from '../protocol/index.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'
import type { ShardedTableOptions } from './options.js'
import { type RebuildShardMapOptions, rebuildShardMap } from './rebuild-shard-map.js'

const TableName = 'orders'
const shardMap = 'orders_shard_map'
const keys = { partitionKey: 'customer', sortKey: 'order_id' } as const
const by_status = { partitionKey: 'status', shards: dynamicShards() }
const ITEMS = 36

const key = (customer: string, at: number) => ({
  customer: { S: customer },
  order_id: { S: `order-${1_000 + at}` },
})
const put = (customer: string, at: number) =>
  new PutItemCommand({ TableName, Item: { ...key(customer, at), status: { S: 'open' } } })

type Db = ReturnType<typeof isotherm<DynamoDBClient>>

interface World {
  readonly clock: VirtualClock
  readonly client: DynamoDBClient
  readonly options: ShardedTableOptions
  readonly events: IsothermEvent[]
  open(): Db
  rebuild(more?: Partial<RebuildShardMapOptions>): ReturnType<typeof rebuildShardMap>
}

async function within(
  suffix: 'random' | 'calculated',
  work: (world: World) => Promise<void>,
  more: Partial<ShardedTableOptions> = {},
): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const options = { ...keys, suffix, shards: dynamicShards(), indexes: { by_status }, ...more }
  const events: IsothermEvent[] = []
  let seed = 10
  const open = () =>
    isotherm(client, {
      tables: { [TableName]: options },
      clock,
      random: new SeededRandom(seed++),
      onEvent: (event) => events.push(event),
    })
  await clock.run(async () => {
    const global = { by_status: ['isotherm_by_status'] } as const
    await client.send(createTable(TableName, ['customer', 'order_id'], { global }))
    await ensureShardMap(client, { table: TableName, clock })
    const rebuild: World['rebuild'] = (given = {}) =>
      rebuildShardMap(client, {
        table: TableName,
        options,
        unitsPerSecond: 10_000,
        clock,
        random: new SeededRandom(seed++),
        ...given,
      })
    await work({ clock, client, options, events, open, rebuild })
  })
  await local.close()
}

/** Two hot keys and some cold ones. */
async function grown(db: Db): Promise<void> {
  for (const [customer, shards] of [
    ['acme', 7],
    ['bolt', 3],
  ] as const) {
    await db.shards(TableName, customer).set(shards)
    await db.shards(TableName, customer).drain()
  }
  await db.shards(TableName, 'open', { index: 'by_status' }).set(5)
  for (let at = 0; at < ITEMS; at++) for (const customer of ['acme', 'bolt']) await db.send(put(customer, at))
  for (let at = 0; at < 10; at++) await db.send(put(`cold-${at}`, at))
}

async function clear(client: DynamoDBClient): Promise<readonly Record<string, AttributeValue>[]> {
  const before = await scanned(client, shardMap)
  for (const { customer } of before) {
    const Key = { customer: customer ?? { S: '' } }
    await client.send(new DeleteItemCommand({ TableName: shardMap, Key }))
  }
  return before
}

/** What is found of a key by a consistent query, and by reads of single items. */
async function found(db: Db, customer: string, items = ITEMS): Promise<void> {
  const query = {
    TableName,
    KeyConditionExpression: 'customer = :c',
    ExpressionAttributeValues: { ':c': { S: customer } },
    ConsistentRead: true,
  }
  const { Items = [] } = await db.send(new QueryCommand(query))
  expect(Items.map(({ order_id }) => order_id)).toEqual(
    Array.from({ length: items }, (_, at) => key(customer, at).order_id),
  )
  for (let at = 0; at < items; at += 7) {
    const get = new GetItemCommand({ TableName, Key: key(customer, at), ConsistentRead: true })
    expect((await db.send(get)).Item).toMatchObject(key(customer, at))
  }
}

const own = (items: readonly Record<string, AttributeValue>[]) =>
  items.map(({ customer }) => customer?.S ?? '').sort()

describe.each(['random', 'calculated'] as const)('a shard map with a suffix %s', (suffix) => {
  it.each<[string, (world: World) => Promise<unknown>]>([
    ['was emptied', ({ client }) => clear(client)],
    ['was deleted', ({ client }) => client.send(new DeleteTableCommand({ TableName: shardMap }))],
  ])('that %s is rebuilt: new and old processes find every item', async (_what, lose) =>
    within(suffix, async (world) => {
      const { open, client, rebuild, clock } = world
      const running = open()
      await grown(running)
      await lose(world)
      const progress: object[] = []
      const report = await rebuild({ onProgress: (each) => progress.push(each) })
      expect(report).toMatchObject({ isRebuilt: true, keys: 2, indexValues: 1, unexplained: 0, examples: [] })
      expect(report.items).toBe(2 * ITEMS + 10)
      expect(progress.length).toBeGreaterThan(0)
      const stored = await scanned(client, shardMap)
      expect(own(stored)).toEqual([
        'acme',
        'bolt',
        CARD_KEY,
        'isotherm:index:["isotherm_by_status","S","open"]',
      ])
      const card = stored.find(({ customer }) => customer?.S === CARD_KEY)
      expect([...(card?.listed_keys?.SS ?? [])].sort()).toEqual(['acme', 'bolt'])
      await clock.sleep(30_000)
      for (const db of [open(), running]) {
        await found(db, 'acme')
        await found(db, 'bolt')
        await found(db, 'cold-0', 1)
      }
      const pages = paginateQuery(
        { client: open() },
        {
          TableName,
          IndexName: 'by_status',
          KeyConditionExpression: '#s = :s',
          ExpressionAttributeNames: { '#s': 'status' },
          ExpressionAttributeValues: { ':s': { S: 'open' } },
        },
      )
      let entries = 0
      for await (const { Items = [] } of pages) entries += Items.length
      expect(entries).toBe(2 * ITEMS + 10)
      // Counts change as before.
      await running.shards(TableName, 'acme').set(9)
      await running.send(put('acme', ITEMS))
      await clock.sleep(60_000)
      await found(open(), 'acme', ITEMS + 1)
    }),
  )

  it('that was restored to an earlier time is made anew, and its items that are no longer true are gone', () =>
    within(suffix, async ({ open, client, rebuild }) => {
      const db = open()
      await db.send(put('first', 0))
      await db.shards(TableName, 'left').set(4)
      await db.shards(TableName, 'left').drain()
      const earlier = await scanned(client, shardMap)
      await grown(db)
      await clear(client)
      for (const Item of earlier) await client.send(new PutItemCommand({ TableName: shardMap, Item }))
      expect(await rebuild()).toMatchObject({ isRebuilt: true, keys: 2 })
      expect(own(await scanned(client, shardMap))).not.toContain('left')
      await found(open(), 'acme')
    }))

  it('is not used until it is complete, and what is stored meanwhile is found', () =>
    within(suffix, async ({ open, client, rebuild, clock }) => {
      const running = open()
      await grown(running)
      await clear(client)
      const rebuilding = rebuild()
      await clock.sleep(32_000 / 3)
      const stored: number[] = []
      const lost = { code: 'card.lost', details: { reason: 'rebuilding' } }
      await expect(open().send(put('acme', ITEMS))).rejects.toMatchObject(lost)
      for (let at = ITEMS; at < ITEMS + 60; at++) {
        const isStored = await running.send(put('acme', at)).then(
          () => true,
          () => false,
        )
        if (isStored) stored.push(at)
        await clock.sleep(300)
      }
      expect(await rebuilding).toMatchObject({ isRebuilt: true })
      await clock.sleep(30_000)
      const { Items = [] } = await open().send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'customer = :c',
          ExpressionAttributeValues: { ':c': { S: 'acme' } },
          ConsistentRead: true,
        }),
      )
      expect(Items).toHaveLength(ITEMS + stored.length)
      expect(new Set(Items.map(({ order_id }) => order_id?.S)).size).toBe(Items.length)
    }))

  it('keeps a count of an index that grows meanwhile', () =>
    within(suffix, async ({ open, client, rebuild }) => {
      await grown(open())
      const text = { S: 'x'.repeat(300_000) }
      const putLarge = (from: number, to: number) =>
        Promise.all(
          Array.from({ length: to - from }, (_, at) => {
            const place = { customer: { S: `large-${from + at}_1` }, order_id: { S: 'order-1' } }
            const isotherm_by_status = { S: `open_${from + at < 40 ? 2 : 8}` }
            const Item = { ...place, status: { S: 'open' }, isotherm_by_status, text }
            return client.send(new PutItemCommand({ TableName, Item }))
          }),
        )
      await putLarge(0, 40)
      await clear(client)
      const byHand = open().shards(TableName, 'open', { index: 'by_status' })
      let pages = 0
      let isGrown: Promise<unknown> | undefined
      const onProgress = () => {
        pages += 1
        if (pages === 2) isGrown = byHand.set(20).then(() => putLarge(40, 80))
      }
      expect(await rebuild({ unitsPerSecond: 100, onProgress })).toMatchObject({ isRebuilt: true })
      await isGrown
      expect(await byHand.read()).toMatchObject({ readableShards: 20 })
    }))

  it('is only reported by a dry run', () =>
    within(suffix, async ({ open, client, rebuild, clock }) => {
      await grown(open())
      await clear(client)
      const startedAt = clock.now()
      expect(await rebuild({ dryRun: true })).toMatchObject({
        isRebuilt: false,
        keys: 2,
        highestCount: 7,
        unexplained: 0,
        items: 2 * ITEMS + 10,
      })
      expect(clock.now() - startedAt).toBeLessThan(2_000)
      expect(await scanned(client, shardMap)).toEqual([])
    }))

  it('is refused by a dry run as well, where the card has other options', () =>
    within(suffix, async ({ open, client, rebuild, options }) => {
      await grown(open())
      const wrong = { ...options, delimiter: '#' }
      for (const dryRun of [true, false]) {
        await expect(rebuild({ dryRun, options: wrong })).rejects.toMatchObject({
          code: 'card.differs',
          details: { setting: 'delimiter' },
        })
      }
      await client.send(new DeleteTableCommand({ TableName: shardMap }))
      expect(await rebuild({ dryRun: true })).toMatchObject({ isRebuilt: false, unexplained: 0 })
    }))

  it('is made anew where the table is adopted', () =>
    within(
      suffix,
      async ({ open, client, rebuild }) => {
        await client.send(put('first', 0))
        await grown(open())
        await clear(client)
        expect(await rebuild()).toMatchObject({ isRebuilt: true, keys: 2 })
        await found(open(), 'acme')
      },
      { adopt: true },
    ))

  it('goes on where it was stopped', () =>
    within(suffix, async ({ open, client, rebuild, clock }) => {
      await grown(open())
      const large = { S: 'x'.repeat(300_000) }
      for (let at = 0; at < 60; at++) {
        const Item = { ...key(`large-${at}_1`, at), text: large }
        await client.send(new PutItemCommand({ TableName, Item }))
      }
      await clear(client)
      const controller = new AbortController()
      let pages = 0
      const stopped = rebuild({
        signal: controller.signal,
        onProgress: () => {
          pages += 1
          if (pages === 15) controller.abort(new Error('stopped'))
        },
      })
      await expect(stopped).rejects.toThrow('stopped')
      await expect(open().send(put('acme', ITEMS))).rejects.toMatchObject({ code: 'card.lost' })
      const startedAt = clock.now()
      const report = await rebuild()
      expect(report).toMatchObject({ isRebuilt: true, keys: 2 })
      expect(report.items).toBeLessThan(2 * ITEMS + 10 + 60)
      expect(clock.now() - startedAt).toBeLessThan(10_000)
      await found(open(), 'acme')
      await found(open(), 'bolt')
    }))
})

describe('a change of the count that was not complete', () => {
  it.each([
    [2, 8],
    [8, 2],
  ])('of a calculated key from %i to %i shards is completed after the rebuild', (from, to) =>
    within('calculated', async ({ open, client, rebuild, clock }) => {
      const db = open()
      await db.shards(TableName, 'acme').set(from)
      await db.shards(TableName, 'acme').drain()
      for (let at = 0; at < ITEMS; at++) await db.send(put('acme', at))
      // The process ends while items move.
      let moves = 0
      client.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            if (commandName === 'TransactWriteItemsCommand' && ++moves > 9) db.destroy()
            return next(args)
          },
        { step: 'initialize', name: 'end', override: true },
      )
      await db.shards(TableName, 'acme').set(to)
      await clock.sleep(60_000)
      client.middlewareStack.remove('end')
      expect(moves).toBeGreaterThan(5)
      await clear(client)
      expect(await rebuild()).toMatchObject({ isRebuilt: true, keys: 1, unfinished: 1 })
      const after = open()
      await found(after, 'acme')
      expect(await after.shards(TableName, 'acme').drain()).toBe('settled')
      await found(after, 'acme')
      const { Items = [] } = await open().send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'customer = :c',
          ExpressionAttributeValues: { ':c': { S: 'acme' } },
        }),
      )
      expect(Items).toHaveLength(ITEMS)
    }),
  )

  it.each([
    ['random', 8, 2],
    ['calculated', 1, 6],
    ['calculated', 6, 1],
  ] as const)('of a %s key leaves marked items, which are moved after the rebuild', (suffix, from, to) =>
    within(suffix, async ({ open, client, rebuild, clock }) => {
      const db = open()
      await db.shards(TableName, 'acme').set(from)
      if (from > 1) await db.shards(TableName, 'acme').drain()
      for (let at = 0; at < ITEMS; at++) await db.send(put('acme', at))
      client.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            if (commandName !== 'TransactWriteItemsCommand') return next(args)
            // Marks are set, and no item moves.
            db.destroy()
            throw new Error('The process has ended.')
          },
        { step: 'initialize', name: 'end' },
      )
      await db.shards(TableName, 'acme').set(to)
      await clock.sleep(90_000)
      client.middlewareStack.remove('end')
      const marked = (await scanned(client, TableName)).filter(({ isotherm_moving }) => isotherm_moving)
      expect(marked.length).toBeGreaterThan(0)
      await clear(client)
      expect(await rebuild()).toMatchObject({ isRebuilt: true, keys: 1, unexplained: 0 })
      const after = open()
      await found(after, 'acme')
      expect(await after.shards(TableName, 'acme').drain()).toBe('settled')
      expect((await scanned(client, TableName)).filter(({ isotherm_moving }) => isotherm_moving)).toEqual([])
      await found(open(), 'acme')
    }),
  )
})

describe('a rebuild', () => {
  it('reports items that no count explains, and makes no card', () =>
    within('calculated', async ({ open, client, rebuild }) => {
      await grown(open())
      const misplaced = { ...key('acme', 500), customer: { S: 'acme_1000' } }
      await client.send(new PutItemCommand({ TableName, Item: misplaced }))
      await client.send(new PutItemCommand({ TableName, Item: { ...misplaced, customer: { S: 'plain' } } }))
      await clear(client)
      const report = await rebuild()
      expect(report).toMatchObject({ isRebuilt: false, unexplained: 2 })
      expect(report.examples.map(({ storedKey }) => storedKey).sort()).toEqual(['acme_1000', 'plain'])
      await expect(open().send(put('acme', 1))).rejects.toMatchObject({ code: 'card.lost' })
      for (const customer of ['acme_1000', 'plain']) {
        const Key = { ...misplaced, customer: { S: customer } }
        await client.send(new DeleteItemCommand({ TableName, Key }))
      }
      expect(await rebuild()).toMatchObject({ isRebuilt: true })
    }))

  it('is refused with other options than the card has, and ends when another one begins', () =>
    within('random', async ({ open, client, rebuild, options, clock }) => {
      await grown(open())
      const other = rebuild({ options: { ...options, delimiter: '#' } })
      await expect(other).rejects.toMatchObject({ code: 'card.differs', details: { setting: 'delimiter' } })
      await clear(client)
      const first = rebuild().catch((error: unknown) => error)
      await clock.sleep(1_000)
      expect(await rebuild()).toMatchObject({ isRebuilt: true })
      expect(await first).toMatchObject({ code: 'rebuild.overtaken' })
    }))

  it('may be made again with the right options after wrong ones', () =>
    within('random', async ({ open, client, rebuild, options }) => {
      for (let at = 0; at < ITEMS; at++) await open().send(put('acme', at))
      await clear(client)
      // Each key has one shard, so the items fit these options too.
      expect(await rebuild({ options: { ...options, adopt: true } })).toMatchObject({ isRebuilt: true })
      const refusal = { code: 'card.differs', message: expect.stringContaining('replaceCard: true') }
      await expect(found(open(), 'acme')).rejects.toMatchObject(refusal)
      await expect(rebuild()).rejects.toMatchObject(refusal)
      expect(await rebuild({ replaceCard: true, dryRun: true })).toMatchObject({ unexplained: 0 })
      expect(await rebuild({ replaceCard: true })).toMatchObject({ isRebuilt: true })
      await found(open(), 'acme')
    }))

  it.each(['random', 'calculated'] as const)(
    'reports the first shard of keys that are not adopted (%s)',
    (suffix) =>
      within(suffix, async ({ open, client, rebuild, options }) => {
        await grown(open())
        await clear(client)
        const first = (await scanned(client, TableName)).filter(({ customer }) =>
          /^(acme|bolt)_1$/.test(customer?.S ?? ''),
        )
        const adopted = { options: { ...options, adopt: true } }
        for (const dryRun of [true, false]) {
          const report = await rebuild({ ...adopted, dryRun })
          expect(report.isRebuilt).toBe(false)
          expect(report.unexplained).toBeGreaterThanOrEqual(first.length)
          expect(report.examples[0]?.storedKey).toMatch(/^(acme|bolt)_1$/)
        }
        expect(await rebuild()).toMatchObject({ isRebuilt: true, unexplained: 0 })
        await found(open(), 'acme')
      }),
  )

  it('lists all keys where there are too many for the card', () =>
    within(
      'random',
      async ({ open, client, rebuild }) => {
        const puts = Array.from({ length: 1_001 }, (_, at) =>
          [1 + (at % 2), 3].map((shard) => ({ PutRequest: { Item: key(`key-${at}_${shard}`, at) } })),
        ).flat()
        for (let from = 0; from < puts.length; from += 25) {
          const RequestItems = { [TableName]: puts.slice(from, from + 25) }
          await client.send(new BatchWriteItemCommand({ RequestItems }))
        }
        expect(await rebuild()).toMatchObject({ isRebuilt: true, keys: 1_001 })
        const card = (await scanned(client, shardMap)).find(({ customer }) => customer?.S === CARD_KEY)
        expect(card?.lists_all?.BOOL).toBe(true)
        await found(open(), 'nothing', 0)
      },
      { indexes: {} },
    ))

  it('is refused for a table with fixedShards', () =>
    within('random', async ({ rebuild }) => {
      const { fixedShards } = await import('../scaling/shards.js')
      const options = { ...keys, suffix: 'random', shards: fixedShards(3) } as const
      await expect(rebuild({ options })).rejects.toMatchObject({ code: 'options.invalid' })
    }))
})
