import { type DynamoDBClient, PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import type { IsothermEvent } from '../events/event.js'
import { type DynamicShardsOptions, dynamicShards } from './shards.js'

const LOG = { partitionKey: 'pk', sortKey: 'sk', cacheTtl: '2s', lateRequests: '1s' } as const

function processOf(
  { client, clock }: ShardedEngine,
  shards: DynamicShardsOptions,
  { seed = 1, ...table }: Partial<ShardedTableOptions> & { readonly seed?: number } = {},
) {
  const events: IsothermEvent[] = []
  const db = isotherm<DynamoDBClient>(client, {
    tables: { log: { ...LOG, suffix: 'random', shards: dynamicShards(shards), ...table } },
    clock,
    random: new SeededRandom(seed),
    onEvent: (event) => events.push(event),
  })
  return { db, events, shards: db.shards('log', 'k') }
}

const put = (sk: number) =>
  new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { N: String(sk) }, text: { S: 'x' } } })

async function sortKeys(client: DynamoDBClient): Promise<readonly number[]> {
  const found: number[] = []
  const query = {
    TableName: 'log',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'k' } },
    ConsistentRead: true,
  }
  for await (const { Items = [] } of paginateQuery({ client }, query)) {
    found.push(...Items.map(({ sk }) => Number(sk?.N)))
  }
  return found
}

async function shardsInUse(client: DynamoDBClient): Promise<readonly number[]> {
  const items = await scanned(client, 'log')
  return [...new Set(items.map(({ pk }) => Number(pk?.S?.split('_')[1])))].sort((a, b) => a - b)
}

const engineOf = () =>
  shardedEngine({ suffix: 'random', shards: dynamicShards() }, { latencyMilliseconds: 20 })

describe('a random key that loses shards', () => {
  it.each([true, false])(
    'keeps all its items, and is forgotten where it was (transactions: %s)',
    async (transactions) => {
      const engine = await engineOf()
      const { clock, client } = engine
      const { db, shards, events } = processOf(engine, { quiet: false }, { transactions })
      await clock.run(async () => {
        await shards.set(6)
        for (let sk = 0; sk < 60; sk++) await db.send(put(sk))
        expect(await shardsInUse(client)).toEqual([1, 2, 3, 4, 5, 6])
        expect(await shards.set(2)).toMatchObject({ shards: 2, readableShards: 6, phase: 'retired' })
        expect(await sortKeys(db)).toHaveLength(60)
        await clock.sleep(60_000)
        expect(await shards.read()).toMatchObject({ shards: 2, readableShards: 2, phase: 'settled' })
        expect(await shardsInUse(client)).toEqual([1, 2])
        expect(await sortKeys(db)).toEqual(Array.from({ length: 60 }, (_, sk) => sk))
      })
      const told = events.map(({ type }) => type)
      expect(told.slice(-2)).toEqual(['drained', 'settled'])
      await engine.close()
    },
  )

  it.each([
    { from: 1, to: 6, kept: 6 },
    { from: 6, to: 1, kept: 2 },
  ])(
    'keeps the initial count of the card, although its process has that of before a migration: %o',
    async ({ from, to, kept }) => {
      const engine = await engineOf()
      const { clock } = engine
      const { db, shards } = processOf(engine, { initial: from, shrink: 'always', quiet: '1m' })
      await clock.run(async () => {
        await db.send(put(0))
        await db.migrate('log', { initial: to })
        await shards.set(8)
        for (let sk = 1; sk < 50; sk++) {
          await db.send(put(sk))
          await clock.sleep(10_000)
        }
        expect(await shards.read()).toMatchObject({ shards: kept, readableShards: kept })
        expect(await sortKeys(db)).toHaveLength(50)
      })
      await engine.close()
    },
  )

  it('may be written to its old shards by a process that does not know yet, until it does', async () => {
    const engine = await engineOf()
    const { clock, client } = engine
    const first = processOf(engine, { quiet: false }, { seed: 1 })
    const second = processOf(engine, { quiet: false }, { seed: 2 })
    await clock.run(async () => {
      await first.shards.set(8)
      await second.db.send(put(0))
      const changed = first.shards.set(1)
      for (let sk = 1; sk < 100; sk++) {
        await second.db.send(put(sk))
        await clock.sleep(40)
      }
      await changed
      await clock.sleep(60_000)
      expect(await shardsInUse(client)).toEqual([1])
      expect(await sortKeys(second.db)).toHaveLength(100)
    })
    await engine.close()
  })

  it('is drained no faster than it may be, with progress, and again by another process after an abort', async () => {
    const engine = await engineOf()
    const { clock, client } = engine
    const { db, shards } = processOf(engine, { quiet: false })
    const other = processOf(engine, { quiet: false }, { seed: 2 })
    await clock.run(async () => {
      await shards.set(4)
      for (let sk = 0; sk < 200; sk++) await db.send(put(sk))
      await shards.set(1)
      const abort = new AbortController()
      const moved: number[] = []
      const began = clock.now()
      const drained = shards.drain({
        unitsPerSecond: 50,
        signal: abort.signal,
        onProgress: (progress) => moved.push(progress.moved),
      })
      const aborted = expect(drained).rejects.toThrow('enough')
      await clock.sleep(12_000)
      abort.abort(new Error('enough'))
      await aborted
      expect(moved.length).toBeGreaterThanOrEqual(1)
      expect(moved.at(-1)).toBeLessThan(140)
      expect((await shardsInUse(client)).length).toBeGreaterThan(1)
      expect(await other.shards.drain({ unitsPerSecond: 50 })).toBe('settled')
      // About 150 items of 5 units each, and two waits of 3 seconds.
      expect(clock.now() - began).toBeGreaterThan(13_000)
      expect(await shardsInUse(client)).toEqual([1])
      expect(await sortKeys(db)).toHaveLength(200)
    })
    await engine.close()
  })

  it('that loses more of them loses no item whose move to one of these was begun before', async () => {
    const engine = await engineOf()
    const { clock, client } = engine
    const { db, shards } = processOf(engine, { quiet: false })
    await clock.run(async () => {
      await shards.set(8)
      await shards.set(4)
      // The state that a drain leaves if it crashes at this point.
      const mark = { isotherm_moving: { S: '3:99' } }
      const Item = { pk: { S: 'k_7' }, sk: { N: '1' }, ...mark }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
      await shards.set(2)
      await clock.sleep(60_000)
      expect(await shards.read()).toMatchObject({ readableShards: 2, phase: 'settled' })
      expect(await sortKeys(db)).toEqual([1])
      expect(Math.max(...(await shardsInUse(client)))).toBeLessThanOrEqual(2)
    })
    await engine.close()
  })

  it.each(['random', 'calculated'] as const)(
    'keeps all its items where another writer has left the count without a history (suffix: %s)',
    async (suffix) => {
      const engine = await shardedEngine({ suffix, shards: dynamicShards() })
      const { clock, client } = engine
      const { db, shards } = processOf(engine, { quiet: false }, { suffix })
      await clock.run(async () => {
        const count = { number_of_shards: { N: '8' }, last_updated: { N: '5' } }
        await client.send(
          new PutItemCommand({ TableName: 'log_shard_map', Item: { pk: { S: 'k' }, ...count } }),
        )
        for (let sk = 0; sk < 20; sk++) await db.send(put(sk))
        await shards.set(2)
        expect(await sortKeys(db)).toHaveLength(20)
        expect(await shards.drain()).toBe('settled')
        expect(await sortKeys(db)).toHaveLength(20)
      })
      await engine.close()
    },
  )

  it('is drained by a process that uses it, when the one that retired its shards is gone', async () => {
    const engine = await engineOf()
    const { clock, client } = engine
    const gone = processOf(engine, { quiet: false })
    const other = processOf(engine, { quiet: false }, { seed: 2 })
    await clock.run(async () => {
      await gone.shards.set(4)
      for (let sk = 0; sk < 20; sk++) await gone.db.send(put(sk))
      await gone.shards.set(1)
      gone.db.destroy()
      for (let sk = 20; sk < 100; sk++) {
        await other.db.send(put(sk))
        await clock.sleep(5_000)
      }
      expect(await other.shards.read()).toMatchObject({ readableShards: 1, phase: 'settled' })
      expect(await shardsInUse(client)).toEqual([1])
      expect(await sortKeys(other.db)).toHaveLength(100)
    })
    await engine.close()
  })
})

describe('a key that was hot', () => {
  const options = { quiet: '1m', shrink: 'always', partitionUnitsPerSecond: 10 } as const

  it('falls back to its initial count in quarters, while it is used a little', async () => {
    const engine = await engineOf()
    const { clock } = engine
    const { db, shards, events } = processOf(engine, options)
    await clock.run(async () => {
      await shards.set(8)
      for (let sk = 0; sk < 300; sk++) {
        await db.send(put(sk))
        await clock.sleep(4_000)
      }
      expect(await shards.read()).toMatchObject({ shards: 1, readableShards: 1 })
      expect(await sortKeys(db)).toHaveLength(300)
    })
    const falls = events.filter((event) => event.type === 'scaled' && event.reason === 'quiet')
    expect(falls.map((event) => event.type === 'scaled' && event.to)).toEqual([2, 1])
    await engine.close()
  })

  it('keeps its count while a fleet uses it, each process a little', async () => {
    const engine = await engineOf()
    const { clock, random } = engine
    const fleet = Array.from({ length: 10 }, (_, seed) => processOf(engine, options, { seed }))
    await clock.run(async () => {
      await fleet[0]?.shards.set(8)
      // Together 20 units per second, twice the rate below which 8 shards of 10 units are quiet.
      for (let sk = 0; sk < 5_000; sk++) {
        await fleet[Math.floor(random.next() * fleet.length)]?.db.send(put(sk % 50))
        await clock.sleep(30)
      }
      expect(await fleet[0]?.shards.read()).toMatchObject({ shards: 8 })
    })
    await engine.close()
  }, 60_000)
})

describe('shards by hand', () => {
  it('are refused by name where they cannot be', async () => {
    const engine = await engineOf()
    const { db, shards } = processOf(engine, { quiet: false })
    expect(() => db.shards('other', 'k')).toThrow(/a table of the options: log/)
    expect(() => db.shards('log', '')).toThrow(/logical key/)
    await expect(shards.set(0)).rejects.toMatchObject({ code: 'options.invalid' })
    await expect(shards.drain({ unitsPerSecond: 1 })).rejects.toMatchObject({ code: 'options.invalid' })
    await engine.clock.run(async () => expect(await shards.read()).toBeUndefined())
    await engine.close()
  })
})
