import {
  type ConsumedCapacity,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { type Clock, SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../../test/sharded-engine.js'
import { isotherm } from '../../client/isotherm.js'
import type { IsothermEvent } from '../../events/event.js'
import { type DynamicShardsOptions, dynamicShards } from '../shards.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

interface Spent {
  /** Write units on the table, of all processes. */
  write: number
  /** Read units on the table, of all processes. */
  read: number
}

/** Adds up what the table `log` is charged. */
function meter(client: DynamoDBClient): Spent {
  const spent: Spent = { write: 0, read: 0 }
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!/^(Query|GetItem|PutItem|UpdateItem|DeleteItem|TransactWriteItems)Command$/.test(commandName)) {
          return next(args)
        }
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
        const { ConsumedCapacity: consumed = [] } = result.output as { ConsumedCapacity?: ConsumedCapacity }
        for (const { TableName, CapacityUnits = 0 } of [consumed].flat()) {
          if (TableName !== 'log') continue
          spent[/Query|Get/.test(commandName) ? 'read' : 'write'] += CapacityUnits
        }
        return result
      },
    { step: 'initialize' },
  )
  return spent
}

interface Fleet {
  readonly engine: ShardedEngine
  readonly dbs: readonly ReturnType<typeof processOf>[]
  readonly events: IsothermEvent[]
  readonly spent: Spent
}

function processOf(
  { client, clock }: { readonly client: DynamoDBClient; readonly clock: Clock },
  seed: number,
  shards: DynamicShardsOptions,
  onEvent: (event: IsothermEvent) => void,
) {
  return isotherm<DynamoDBClient>(client, {
    tables: {
      log: {
        partitionKey: 'pk',
        sortKey: 'sk',
        suffix: 'random',
        shards: dynamicShards({ quiet: '10m', ...shards }),
      },
    },
    clock,
    random: new SeededRandom(seed),
    onEvent,
  })
}

async function fleet(
  processes: number,
  shards: DynamicShardsOptions,
  work: (fleet: Fleet) => Promise<void>,
): Promise<void> {
  const engine = await shardedEngine(
    { suffix: 'random', shards: dynamicShards() },
    { latencyMilliseconds: 5 },
  )
  const spent = meter(engine.client)
  const events: IsothermEvent[] = []
  const dbs = Array.from({ length: processes }, (_, index) =>
    processOf(engine, (1 + index) * 0x9e37_79b1, shards, (event) => events.push(event)),
  )
  await engine.clock.run(() => work({ engine, dbs, events, spent }))
  for (const db of dbs) db.destroy()
  await engine.close()
}

/** A key with 16 shards, and items of a size in all of them. */
async function peaked({ dbs: [db] }: Fleet, items: number, bytes: number, more: object = {}): Promise<void> {
  await db?.shards('log', 'k').set(16)
  for (let sk = 0; sk < items; sk++) {
    const Item = { pk: { S: 'k' }, sk: { N: String(sk) }, text: { S: 'x'.repeat(bytes) }, ...more }
    await db?.send(new PutItemCommand({ TableName: 'log', Item }))
  }
}

const NEWEST = new QueryCommand({
  TableName: 'log',
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: 'k' } },
  ScanIndexForward: false,
  Limit: 1,
  ConsistentRead: true,
})

async function queried(
  { engine: { clock }, dbs }: Fleet,
  every: number,
  milliseconds: number,
): Promise<void> {
  const until = clock.now() + milliseconds
  for (let turn = 0; clock.now() < until; turn++) {
    await dbs[turn % dbs.length]?.send(NEWEST)
    await clock.sleep(every)
  }
}

/** Makes the key quiet for a quarter of an hour, in which the fleet has read it for so many units. */
async function wasRead({ engine: { client, clock } }: Fleet, units: number): Promise<void> {
  await clock.sleep(15 * MINUTE)
  const since = Math.floor((clock.now() - 14 * MINUTE) / 1_000)
  await client.send(
    new UpdateItemCommand({
      TableName: 'log_shard_map',
      Key: { pk: { S: 'k' } },
      UpdateExpression: 'SET quiet_reads = :units, quiet_since = :since',
      ExpressionAttributeValues: { ':units': { N: String(units) }, ':since': { N: String(since) } },
    }),
  )
}

function signs({ engine: { client } }: Fleet) {
  const Key = { pk: { S: 'k' } }
  return client.send(new GetItemCommand({ TableName: 'log_shard_map', Key })).then(({ Item }) => Item ?? {})
}

const declined = (events: readonly IsothermEvent[]) =>
  events.filter((event) => event.type === 'shrink-declined')
const fallen = (events: readonly IsothermEvent[]) =>
  events.flatMap((event) => (event.type === 'scaled' && event.reason === 'quiet' ? [event.to] : []))

describe('a quiet key', () => {
  it('loses its shards when the reads that they cost have cost as much as moving its items', async () => {
    await fleet(1, {}, async (all) => {
      await peaked(all, 100, 100)
      const before = { ...all.spent }
      await wasRead(all, 4_000)
      await queried(all, 20_000, 3 * MINUTE)
      expect(fallen(all.events)).toEqual([4])
      expect(declined(all.events)).toEqual([])
      expect(await all.dbs[0]?.shards('log', 'k').read()).toMatchObject({
        readableShards: 4,
        phase: 'settled',
      })
      // In read units, moving has cost less than three quarters of the reads: the part of the shards that are gone.
      const moved = 5 * (all.spent.write - before.write)
      expect(moved).toBeGreaterThan(1_000)
      expect(moved).toBeLessThan(3_000)
    })
  })

  it('loses its shards although a description of its table never comes', async () => {
    await fleet(1, {}, async (all) => {
      await peaked(all, 100, 100)
      let hung = 0
      all.engine.client.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            if (commandName !== 'DescribeTableCommand') return next(args)
            hung += 1
            return new Promise(() => {})
          },
        { step: 'initialize' },
      )
      await wasRead(all, 4_000)
      await queried(all, 20_000, 3 * MINUTE)
      expect(hung).toBe(1)
      expect(fallen(all.events)).toEqual([4])
    })
  })

  it('keeps its shards where hardly anybody reads it, and nothing is counted or moved', async () => {
    await fleet(2, {}, async (all) => {
      await peaked(all, 100, 100)
      const before = { ...all.spent }
      await queried(all, 15 * MINUTE, 24 * HOUR)
      expect(all.events.filter(({ type }) => type !== 'scaled')).toEqual([])
      expect(fallen(all.events)).toEqual([])
      expect(all.spent.write).toBe(before.write)
    })
  })

  it('keeps its shards where moving its items costs more, and says so each time that it was read twice as much', async () => {
    await fleet(1, {}, async (all) => {
      await peaked(all, 300, 40_000)
      const before = { ...all.spent }
      await wasRead(all, 5_000)
      const read = all.spent.read
      await all.dbs[0]?.send(NEWEST)
      const ofQuery = all.spent.read - read
      await queried(all, 20_000, 2 * MINUTE)
      expect(declined(all.events)).toHaveLength(1)
      await wasRead(all, 9_900)
      await queried(all, 20_000, 2 * MINUTE)
      expect(declined(all.events)).toHaveLength(1)
      await wasRead(all, 12_000)
      await queried(all, 20_000, 2 * MINUTE)
      const told = declined(all.events)
      expect(told).toMatchObject(
        [5_000, 12_000].map((units) => ({ from: 16, to: 4, reason: 'price', spentReadUnits: 0.75 * units })),
      )
      for (const { writeUnits, spentReadUnits, savedReadUnitsPerDay } of told) {
        expect(5 * writeUnits).toBeGreaterThan(spentReadUnits)
        expect(savedReadUnitsPerDay / spentReadUnits).toBeGreaterThan(0.8 * 4 * 24)
        expect(savedReadUnitsPerDay / spentReadUnits).toBeLessThan(4.2 * 24 * 1.1)
      }
      expect(fallen(all.events)).toEqual([])
      expect(all.spent.write).toBe(before.write)
      // Counting ended early: it has read little for what was spent before.
      const counting = all.spent.read - before.read - 19 * ofQuery
      expect(counting).toBeGreaterThan(0)
      expect(counting).toBeLessThan(0.03 * (5_000 + 12_000))
    })
  })

  it('keeps its shards while most of its items are about to expire', async () => {
    await fleet(1, {}, async (all) => {
      const { client, clock } = all.engine
      const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true }
      await client.send(new UpdateTimeToLiveCommand({ TableName: 'log', TimeToLiveSpecification }))
      const expires = { N: String(Math.floor((clock.now() + 25 * MINUTE) / 1_000)) }
      await peaked(all, 100, 100, { expires })
      const before = { ...all.spent }
      await wasRead(all, 5_000)
      await queried(all, 20_000, 2 * MINUTE)
      expect(declined(all.events)).toMatchObject([{ reason: 'expiry' }])
      expect(fallen(all.events)).toEqual([])
      expect(all.spent.write).toBe(before.write)
    })
  })

  it('keeps its shards where the budget of the day does not pay for the move', async () => {
    await fleet(1, { shrinkUnitsPerDay: 100 }, async (all) => {
      await peaked(all, 100, 100)
      await wasRead(all, 5_000)
      await queried(all, 20_000, 2 * MINUTE)
      expect(fallen(all.events)).toEqual([])
      expect(declined(all.events)).toMatchObject([{ reason: 'budget', items: expect.any(Number) }])
    })
  })

  it('is weighed by one process of a fleet that reads it a little each', async () => {
    await fleet(20, { quiet: '2m' }, async (all) => {
      await peaked(all, 300, 40_000)
      await queried(all, 500, 5 * MINUTE)
      const { quiet_reads: reads, quiet_since: since } = await signs(all)
      // Two queries a second ask 16 shards.
      const seconds = all.engine.clock.now() / 1_000 - Number(since?.N)
      expect(Number(reads?.N) / (seconds * 32)).toBeGreaterThan(0.6)
      expect(Number(reads?.N) / (seconds * 32)).toBeLessThan(1 / 0.6)
      expect(declined(all.events)).toHaveLength(1)
    })
  })

  it('does not keep the process alive while it is weighed', async () => {
    await fleet(1, {}, async (all) => {
      await peaked(all, 300, 4_000)
      await wasRead(all, 5_000)
      const { client, clock } = all.engine
      const keptAlive: number[] = []
      const watched: Clock = {
        now: () => clock.now(),
        sleep(milliseconds, signal, options) {
          if (options?.mayEndProcess !== true) keptAlive.push(milliseconds)
          return clock.sleep(milliseconds, signal)
        },
      }
      const events: IsothermEvent[] = []
      const onEvent = (event: IsothermEvent) => events.push(event)
      const db = processOf({ client, clock: watched }, 5, { drainUnitsPerSecond: 10 }, onEvent)
      await queried({ ...all, dbs: [db] }, 20_000, 5 * MINUTE)
      db.destroy()
      expect(declined(events)).toHaveLength(1)
      expect(keptAlive).toEqual([])
    })
  })

  it('starts to count its reads again when it was busy', async () => {
    await fleet(1, { quiet: '2m', partitionUnitsPerSecond: 5 }, async (all) => {
      await peaked(all, 50, 40_000)
      await queried(all, 1_000, 3 * MINUTE)
      const { quiet_since: before } = await signs(all)
      const { clock } = all.engine
      for (let sk = 0; sk < 2_000; sk++) {
        const Item = { pk: { S: 'k' }, sk: { N: '1' } }
        await all.dbs[0]?.send(new PutItemCommand({ TableName: 'log', Item }))
        await clock.sleep(60)
      }
      const busyUntil = clock.now()
      await queried(all, 1_000, 3 * MINUTE)
      const { quiet_since: after, quiet_reads: reads } = await signs(all)
      expect(Number(before?.N) * 1_000).toBeLessThan(busyUntil - MINUTE)
      expect(Number(after?.N) * 1_000).toBeGreaterThan(busyUntil - MINUTE)
      expect(Number(reads?.N)).toBeLessThan(2 * 180 * 16)
    })
  })
})

describe('the price of fewer shards', () => {
  it.each([
    [100, 5],
    [3_000, 15],
  ])('is what moving items of %i bytes then costs', async (bytes, unitsPerItem) => {
    await fleet(1, { quiet: false }, async (all) => {
      await peaked(all, 320, bytes)
      const shards = all.dbs[0]?.shards('log', 'k')
      const before = { ...all.spent }
      const price = await shards?.price(4)
      expect(all.spent.write).toBe(before.write)
      expect(all.spent.read - before.read).toBeLessThan(0.02 * 5 * (price?.writeUnits ?? 0))
      await shards?.set(4)
      await shards?.drain({ unitsPerSecond: 10_000 })
      const moved = all.spent.write - before.write
      expect(price?.items).toBe(moved / unitsPerItem)
      expect((price?.writeUnits ?? 0) / moved).toBeGreaterThan(0.95)
      expect((price?.writeUnits ?? 0) / moved).toBeLessThan(1.2)
      expect(price).toMatchObject({ from: 16, to: 4, seconds: Math.ceil((price?.writeUnits ?? 0) / 100) })
    })
  })

  it('states what is saved, once the fleet has reported what it reads', async () => {
    await fleet(2, {}, async (all) => {
      await peaked(all, 100, 1_000)
      const shards = all.dbs[0]?.shards('log', 'k')
      expect(await shards?.price(4)).toMatchObject({
        savedReadUnitsPerDay: undefined,
        paysAfterDays: undefined,
      })
      await wasRead(all, 14 * 60 * 16)
      const price = await shards?.price(1)
      // A query a second asks 16 shards, for a unit each.
      expect((price?.savedReadUnitsPerDay ?? 0) / (15 * 86_400)).toBeCloseTo(1, 1)
      expect(price?.paysAfterDays).toBeCloseTo(
        (5 * (price?.writeUnits ?? 0)) / (price?.savedReadUnitsPerDay ?? 0),
      )
    })
  })

  it('is unknown for a key that was never written, and refused for a count above the present one', async () => {
    await fleet(1, {}, async (all) => {
      const shards = all.dbs[0]?.shards('log', 'k')
      expect(await shards?.price(1)).toBeUndefined()
      await shards?.set(4)
      await expect(shards?.price(5)).rejects.toMatchObject({ code: 'options.invalid' })
      await expect(shards?.price(0)).rejects.toMatchObject({ code: 'options.invalid' })
      expect(await shards?.price(4)).toMatchObject({ items: 0, writeUnits: 0 })
    })
  })
})

describe('the options of coming down', () => {
  it.each([
    [{ shrink: 'never' }, /'when-it-pays' or 'always'.*quiet: false/],
    [{ shrinkUnitsPerDay: -1 }, /from 0/],
    [{ shrink: 'always', shrinkUnitsPerDay: 5 }, /shrinkUnitsPerDay/],
  ])('are refused where they are wrong: %j', (options, message) => {
    expect(() => dynamicShards(options as DynamicShardsOptions)).toThrow(message)
  })
})
