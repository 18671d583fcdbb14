import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { type Clock, SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { isotherm } from '../../client/isotherm.js'
import type { ShardedTableOptions } from '../../client/options.js'
import { CARD_KEY } from '../../protocol/index.js'
import { dynamicShards, fixedShards } from '../shards.js'
import type { MigrateOptions } from './migrate.js'

type Options = Pick<ShardedTableOptions, 'suffix' | 'shards'> & Partial<ShardedTableOptions>

async function within(
  options: Options,
  work: (engine: ShardedEngine) => Promise<void>,
  latencyMilliseconds = 0,
) {
  const engine = await shardedEngine(options, { latencyMilliseconds })
  await engine.clock.run(() => work(engine))
  await engine.close()
}

const calculatedFrom = (initial: number): Options => ({
  suffix: 'calculated',
  shards: dynamicShards({ initial, quiet: false }),
})
const randomFrom = (initial: number): Options => ({
  suffix: 'random',
  shards: dynamicShards({ initial, quiet: false }),
})

const itemOf = (pk: string, sk: number) => ({ pk: { S: pk }, sk: { N: String(sk) } })
const put = (pk: string, sk: number) => new PutItemCommand({ TableName: 'log', Item: itemOf(pk, sk) })
const queryOf = (pk: string) =>
  new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: pk } },
    ConsistentRead: true,
  })

type Db = ReturnType<ShardedEngine['process']>

async function foundBy(db: Db, pk: string): Promise<readonly number[]> {
  const { Items = [] } = await db.send(queryOf(pk))
  return Items.map(({ sk }) => Number(sk?.N))
}

/** Which of the items are not where point reads look for them. */
async function missing(db: Db, pk: string, items: readonly number[]): Promise<readonly number[]> {
  const lost: number[] = []
  for (const sk of items) {
    const command = new GetItemCommand({ TableName: 'log', Key: itemOf(pk, sk), ConsistentRead: true })
    if ((await db.send(command)).Item === undefined) lost.push(sk)
  }
  return lost
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)

async function fill(db: Db, keys: readonly string[], items: number): Promise<void> {
  for (const key of keys) for (const sk of upTo(items)) await db.send(put(key, sk))
}

async function card({ client }: ShardedEngine): Promise<Record<string, AttributeValue> | undefined> {
  return (await scanned(client, 'log_shard_map')).find(({ pk }) => pk?.S === CARD_KEY)
}

async function shardsInUse({ client }: ShardedEngine, key: string): Promise<number> {
  const stored = (await scanned(client, 'log')).map(({ pk }) => String(pk?.S))
  const shards = stored.filter((pk) => pk.startsWith(`${key}_`)).map((pk) => Number(pk.slice(key.length + 1)))
  return Math.max(...shards)
}

/** A process with other options. */
const processWith = ({ client, clock }: ShardedEngine, options: Options, own: Clock = clock) =>
  isotherm(client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...options } },
    clock: own,
    random: new SeededRandom(7),
  })

/** A card has room for 1,000 keys. */
const MORE_THAN_LISTED = 1_001

const HELD_MILLISECONDS = 120_000

/** Holds the first request with such an update. The timers of its process may stand still, too. */
function holdFirst({ client, clock }: ShardedEngine, update: string) {
  const held = { count: 0, until: 0 }
  client.middlewareStack.add(
    (next) => async (args) => {
      const { UpdateExpression } = args.input as { readonly UpdateExpression?: string }
      if (UpdateExpression?.includes(update) === true && held.count === 0) {
        held.count += 1
        held.until = clock.now() + HELD_MILLISECONDS
        await clock.sleep(HELD_MILLISECONDS)
      }
      return next(args)
    },
    { step: 'initialize', name: 'hold the first request' },
  )
  const suspended: Clock = {
    now: () => clock.now(),
    sleep: async (milliseconds, signal) => {
      await clock.sleep(milliseconds, signal)
      if (clock.now() < held.until) await clock.sleep(held.until - clock.now(), signal)
    },
  }
  return { held, suspended }
}

interface Changing {
  /** The clock of a process that stands still while the request is held. */
  readonly suspended: Clock
  migrate(): Promise<void>
}

/** For tests with work in each phase. */
const SHORT_PHASES = { cacheTtl: '10s', lateRequests: '2s' } as const

const WAYS = [
  ['calculated, growing', calculatedFrom(4), calculatedFrom(8), 4, 8],
  ['calculated, shrinking', calculatedFrom(8), calculatedFrom(3), 8, 3],
  ['calculated, to one shard', calculatedFrom(4), calculatedFrom(1), 4, 1],
  ['random, growing', randomFrom(2), randomFrom(6), 2, 6],
  ['random, shrinking', randomFrom(20), randomFrom(10), 20, 10],
] as const

it('A migration stops at a key without room for its new shard, and goes on when its items are deleted.', () =>
  within({ ...calculatedFrom(9), cacheTtl: '2s', lateRequests: '1s' }, async ({ process }) => {
    const db = process()
    const long = 'k'.repeat(2_046)
    for (const sk of upTo(40)) await db.send(put(long, sk))
    await expect(db.migrate('log', { initial: 12 })).rejects.toMatchObject({ code: 'key.too-long' })
    expect(await foundBy(db, long)).toEqual(upTo(40))
    for (const sk of upTo(40)) {
      await db.send(new DeleteItemCommand({ TableName: 'log', Key: itemOf(long, sk) }))
    }
    expect(await db.migrate('log', { initial: 12 })).toMatchObject({ outcome: 'settled' })
  }))

describe('a table that is migrated to another initial count', () => {
  it.each(WAYS)('keeps every item, with the options before and after (%s)', (_way, before, after, from, to) =>
    within(before, async (engine) => {
      const keys = ['a', 'b']
      await fill(engine.process(), keys, 30)
      const { outcome, ...told } = await engine.process().migrate('log', { initial: to })
      expect(outcome).toBe('settled')
      expect(told).toMatchObject({ from, to })
      for (const db of [engine.process(), processWith(engine, after)]) {
        for (const key of keys) {
          expect(await foundBy(db, key)).toEqual(upTo(30))
          expect(await missing(db, key, upTo(30))).toEqual([])
        }
      }
      expect(await shardsInUse(engine, 'a')).toBeLessThanOrEqual(to)
      const stored = await card(engine)
      expect(stored).toMatchObject({ number_of_shards: { N: String(to) }, format: { N: '2' } })
      expect(stored?.migrating_to).toBeUndefined()
      expect(stored?.phase).toBeUndefined()
      // An item that is written now has one place among the new ones.
      await processWith(engine, after).send(put('new', 1))
      expect(await foundBy(engine.process(), 'new')).toEqual([1])
      expect(await scanned(engine.client, 'log')).toHaveLength(61)
    }),
  )

  it.each(WAYS)('serves writers and readers meanwhile (%s)', (_way, before, after, _from, to) =>
    within(
      { ...before, ...SHORT_PHASES },
      async (engine) => {
        const { clock } = engine
        const keys = ['a', 'b']
        await fill(engine.process(), keys, 30)
        const processes = [engine.process(), engine.process()]
        let isOver = false
        const written = new Map(keys.map((key) => [key, new Set(upTo(30))]))
        const problems: unknown[] = []
        const work = processes.map(async (db, at) => {
          for (let n = 1_000 * (at + 1); !isOver; n++) {
            const key = keys[n % 2] ?? 'a'
            await db.send(put(key, n))
            written.get(key)?.add(n)
            const known = [...(written.get(key) ?? [])]
            const found = await foundBy(db, key)
            const there = new Set(found)
            const lost = known.filter((sk) => !there.has(sk))
            lost.push(...(await missing(db, key, [n % 30, n])))
            if (lost.length > 0 || there.size < found.length) problems.push({ key, lost, found })
            await clock.sleep(300)
          }
        })
        expect((await engine.process().migrate('log', { initial: to })).outcome).toBe('settled')
        await clock.sleep(15_000)
        isOver = true
        await Promise.all(work)
        expect(problems).toEqual([])
        for (const key of keys) {
          const all = [...(written.get(key) ?? [])].sort((a, b) => a - b)
          const db = processWith(engine, { ...after, ...SHORT_PHASES })
          expect(await foundBy(db, key)).toEqual(all)
          expect(await missing(db, key, all)).toEqual([])
        }
      },
      100,
    ),
  )

  it.each(['announced', 'moved', 'draining', 'retired'] as const)(
    'is resumed by another process after it was ended in %s',
    (phase) =>
      within(phase === 'retired' ? randomFrom(8) : calculatedFrom(8), async (engine) => {
        await fill(engine.process(), ['a', 'b'], 30)
        const ending = new AbortController()
        const options: MigrateOptions = {
          initial: 2,
          signal: ending.signal,
          onProgress: (progress) => {
            if (progress.phase === phase) ending.abort(new Error('ended'))
          },
        }
        await expect(engine.process().migrate('log', options)).rejects.toThrow('ended')
        expect(await card(engine)).toMatchObject({ migrating_to: { N: '2' } })
        await engine.process().send(put('a', 30))
        const other = engine.process().migrate('log', { initial: 3 })
        await expect(other).rejects.toMatchObject({ code: 'migration.other', details: { to: 2, asked: 3 } })
        expect((await engine.process().migrate('log', { initial: 2 })).outcome).toBe('settled')
        expect(await foundBy(engine.process(), 'a')).toEqual(upTo(31))
        expect(await missing(engine.process(), 'a', upTo(31))).toEqual([])
        expect(await shardsInUse(engine, 'a')).toBeLessThanOrEqual(2)
      }),
  )

  it('lets one of two processes do it', () =>
    within(calculatedFrom(4), async (engine) => {
      await fill(engine.process(), ['a'], 30)
      const outcomes = await Promise.all(
        [engine.process(), engine.process()].map((db) => db.migrate('log', { initial: 8 })),
      )
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['overtaken', 'settled'])
      expect(await foundBy(engine.process(), 'a')).toEqual(upTo(30))
    }))

  it.each([
    ['random', randomFrom(2), 'migrate' as const],
    ['calculated', calculatedFrom(2), 'migrate' as const],
  ])('leaves keys with a count of their own as they are (%s)', (_suffix, options) =>
    within(options, async (engine) => {
      const db = engine.process()
      await fill(db, ['hot', 'cold'], 30)
      await db.shards('log', 'hot').set(16)
      expect(await db.shards('log', 'hot').drain()).toBe('settled')
      await fill(db, ['hot'], 60)
      const { outcome, ownCounts } = await engine.process().migrate('log', { initial: 4 })
      expect({ outcome, ownCounts }).toEqual({ outcome: 'settled', ownCounts: 1 })
      const other = engine.process()
      expect((await other.shards('log', 'hot').read())?.shards).toBe(16)
      expect(await foundBy(other, 'hot')).toHaveLength(options.suffix === 'random' ? 90 : 60)
      expect(await foundBy(other, 'cold')).toEqual(upTo(30))
    }),
  )

  it.each([
    ['random', randomFrom(2)],
    ['calculated', calculatedFrom(2)],
  ])('gives all keys the count when asked to, and the card lists none (%s)', (_suffix, options) =>
    within(options, async (engine) => {
      const db = engine.process()
      for (const key of ['hot', 'warm']) {
        await db.shards('log', key).set(16)
        await db.shards('log', key).drain()
        await fill(db, [key], 40)
      }
      const { outcome, ownCounts } = await engine.process().migrate('log', { initial: 1, keys: 'all' })
      expect({ outcome, ownCounts }).toEqual({ outcome: 'settled', ownCounts: 0 })
      expect((await card(engine))?.listed_keys).toBeUndefined()
      for (const key of ['hot', 'warm']) {
        expect(await foundBy(engine.process(), key)).toEqual(upTo(40))
        expect(await shardsInUse(engine, key)).toBe(1)
      }
    }),
  )

  it('turns a card that lists all keys into one with a list', () =>
    within(calculatedFrom(2), async (engine) => {
      for (const key of upTo(5)) {
        const Item = {
          pk: { S: `old ${key}` },
          number_of_shards: { N: key === 0 ? '7' : '2' },
          last_updated: { N: '1' },
          shard_history: { SS: [key === 0 ? '1:7' : '1:2'] },
        }
        await engine.client.send(new PutItemCommand({ TableName: 'log_shard_map', Item }))
      }
      const db = engine.process()
      await fill(db, ['old 0', 'old 1', 'new'], 30)
      expect((await card(engine))?.lists_all).toEqual({ BOOL: true })
      expect((await db.migrate('log', { initial: 5 })).outcome).toBe('settled')
      expect((await card(engine))?.listed_keys).toEqual({ SS: ['old 0'] })
      const other = engine.process()
      for (const key of ['old 0', 'old 1', 'new']) expect(await foundBy(other, key)).toEqual(upTo(30))
      expect(await shardsInUse(engine, 'old 1')).toBeGreaterThan(2)
      // A key that was listed for nothing before may grow from the new count.
      await other.shards('log', 'old 1').set(9)
      expect(await other.shards('log', 'old 1').drain()).toBe('settled')
      expect(await foundBy(engine.process(), 'old 1')).toEqual(upTo(30))
    }))

  it('keeps a card that lists all keys where more of them have grown than it has room for', () =>
    within(calculatedFrom(2), async (engine) => {
      const puts = Array.from({ length: MORE_THAN_LISTED }, (_, key) => ({
        PutRequest: {
          Item: {
            pk: { S: `old ${key}` },
            number_of_shards: { N: '7' },
            last_updated: { N: '1' },
            shard_history: { SS: ['1:7'] },
          },
        },
      }))
      for (let from = 0; from < puts.length; from += 25) {
        const RequestItems = { log_shard_map: puts.slice(from, from + 25) }
        await engine.client.send(new BatchWriteItemCommand({ RequestItems }))
      }
      const db = engine.process()
      await fill(db, ['old 7', 'new'], 30)
      const { outcome, ownCounts } = await db.migrate('log', { initial: 5 })
      expect({ outcome, ownCounts }).toEqual({ outcome: 'settled', ownCounts: MORE_THAN_LISTED })
      expect((await card(engine))?.lists_all).toEqual({ BOOL: true })
      const other = engine.process()
      for (const key of ['old 7', 'new']) {
        expect(await foundBy(other, key)).toEqual(upTo(30))
        expect(await missing(other, key, upTo(30))).toEqual([])
      }
    }))

  describe.each([
    ['before it writes the first phase', '#phase = :phase', 2],
    ['before it lists the key', 'ADD #keys', 2],
    ['before it lists the key of a table that was migrated', 'ADD #keys', 1],
  ])('refuses a change that was held %s', (_when, update, first) => {
    const migratedMeanwhile = (work: (engine: ShardedEngine, changing: Changing) => Promise<void>) =>
      within(calculatedFrom(first), async (engine) => {
        const db = engine.process()
        await db.migrate('log', { initial: 2 })
        await fill(db, ['k', 'other'], 40)
        const { held, suspended } = holdFirst(engine, update)
        await work(engine, {
          suspended,
          migrate: async () => {
            await engine.clock.sleep(1_000)
            expect((await db.migrate('log', { initial: 6 })).outcome).toBe('settled')
          },
        })
        expect(held.count).toBe(1)
      })
    const expectAll = async (...processes: readonly Db[]) => {
      for (const each of processes) {
        expect(await foundBy(each, 'k')).toEqual(upTo(41))
        expect(await missing(each, 'k', upTo(41))).toEqual([])
      }
    }

    it('by a process that stands still', () =>
      migratedMeanwhile(async (engine, { suspended, migrate }) => {
        const slow = processWith(engine, calculatedFrom(first), suspended)
        await slow.send(put('k', 40))
        const changed = slow.shards('log', 'k').set(9)
        await migrate()
        await changed
        await slow.shards('log', 'k').drain()
        await expectAll(engine.process(), slow)
      }))

    it('on its way to the shard map, so that its process has given it up', () =>
      migratedMeanwhile(async (engine, { migrate }) => {
        const slow = engine.process()
        await slow.send(put('k', 40))
        const changed = slow.shards('log', 'k').set(9)
        // The request that is sent again comes while the key is migrated.
        const refused = expect(changed).rejects.toMatchObject({ code: 'shards.changing' })
        await migrate()
        await refused
        await engine.clock.sleep(HELD_MILLISECONDS)
        await expectAll(engine.process(), slow)
        await slow.shards('log', 'k').set(9)
        await slow.shards('log', 'k').drain()
        await expectAll(engine.process(), slow)
      }))
  })

  it('accepts the counts before and after in the options, and no other', () =>
    within(calculatedFrom(4), async (engine) => {
      const db = engine.process()
      await fill(db, ['a'], 10)
      const early = processWith(engine, calculatedFrom(8))
      await expect(early.send(put('a', 1))).rejects.toMatchObject({
        code: 'card.differs',
        message: expect.stringContaining('Change it with isotherm migrate'),
      })
      await db.migrate('log', { initial: 8 })
      await processWith(engine, calculatedFrom(8)).send(put('a', 10))
      await engine.process().send(put('a', 11))
      expect(await foundBy(engine.process(), 'a')).toEqual(upTo(12))
      const wrong = processWith(engine, calculatedFrom(16))
      await expect(wrong.send(put('a', 1))).rejects.toMatchObject({ code: 'card.differs' })
    }))

  it('has a price, and writes nothing on a dry run', () =>
    within(calculatedFrom(4), async (engine) => {
      const db = engine.process()
      await fill(db, ['a'], 40)
      await engine.clock.sleep(8 * 3_600_000)
      const before = await scanned(engine.client, 'log_shard_map')
      const result = await db.migrate('log', { initial: 8, dryRun: true })
      expect(result).toMatchObject({ outcome: 'dry-run', from: 4, to: 8, ownCounts: 0 })
      expect(result.price.movingItems).toBe(Math.round(result.price.items / 2))
      expect(await scanned(engine.client, 'log_shard_map')).toEqual(before)
    }))

  it('is refused without a shard map, and with invalid options', () =>
    within({ suffix: 'calculated', shards: fixedShards(4) }, async (engine) => {
      const db = engine.process()
      await expect(db.migrate('log', { initial: 8 })).rejects.toMatchObject({
        code: 'shards.fixed',
        message: expect.stringContaining('dynamicShards({ initial, max })'),
      })
      await expect(db.migrate('none', { initial: 8 })).rejects.toMatchObject({ code: 'options.invalid' })
      const other = processWith(engine, calculatedFrom(4))
      for (const [options, code] of [
        [{ initial: 0 }, 'options.invalid'],
        [{ initial: 4, keys: 'some' }, 'options.invalid'],
        [{ initial: 4, rate: 3 }, 'options.unknown'],
        [{ initial: 4, unitsPerSecond: 1 }, 'options.invalid'],
        [{ initial: 8, dryRun: 'true' }, 'options.invalid'],
      ] as const) {
        await expect(other.migrate('log', options as never)).rejects.toMatchObject({ code })
      }
      expect(await scanned(engine.client, 'log_shard_map')).toEqual([])
    }))
})
