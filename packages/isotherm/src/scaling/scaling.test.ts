import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { type Random, SeededRandom, VirtualClock } from '@isotherm/runtime'
import type { Item } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { hotPartition, smallTable, throttled } from '../../test/throttling.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermEvent } from '../events/event.js'
import { incrementBy } from './policy.js'
import { raiseWriteCapacity } from './raise-write-capacity.js'
import { type DynamicShardsOptions, dynamicShards } from './shards.js'

/** Partitions with a limit of writes per second each, and two seconds of burst capacity. */
class Partitions {
  readonly #clock: VirtualClock
  readonly #unitsPerSecond: number
  readonly #partitionOf: (physicalKey: string) => string
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(clock: VirtualClock, unitsPerSecond: number, partitionOf: (physicalKey: string) => string) {
    this.#clock = clock
    this.#unitsPerSecond = unitsPerSecond
    this.#partitionOf = partitionOf
  }

  admit(physicalKey: string): void {
    const most = 2 * this.#unitsPerSecond
    const name = this.#partitionOf(physicalKey)
    const now = this.#clock.now()
    const bucket = this.#buckets.get(name) ?? { tokens: most, at: now }
    this.#buckets.set(name, bucket)
    bucket.tokens = Math.min(most, bucket.tokens + ((now - bucket.at) * this.#unitsPerSecond) / 1_000)
    bucket.at = now
    if (bucket.tokens < 1) throw hotPartition()
    bucket.tokens -= 1
  }
}

interface SetUp {
  readonly processes?: number
  readonly seed?: number
  readonly shards?: DynamicShardsOptions
  readonly unitsPerSecond?: number
  readonly partitionOf?: (physicalKey: string) => string
}

function setUp({
  processes = 1,
  seed = 1,
  shards = {},
  unitsPerSecond = 20,
  partitionOf = (key) => key,
}: SetUp = {}) {
  const tables = new FakeTables()
    .create('log', { partitionKey: 'pk', sortKey: 'at' })
    .create('log_shard_map', { partitionKey: 'pk' })
  const clock = new VirtualClock()
  const events: IsothermEvent[] = []
  const partitions = new Partitions(clock, unitsPerSecond, partitionOf)
  tables.beforeWrite = (table, item) => {
    if (table === 'log' && item.pk !== undefined && 'S' in item.pk) partitions.admit(item.pk.S)
  }
  const random = new SeededRandom(seed)
  const client = bareClient(tables)
  const clients = Array.from({ length: processes }, () =>
    isotherm(client, {
      tables: {
        log: {
          partitionKey: 'pk',
          sortKey: 'at',
          suffix: 'random',
          shards: dynamicShards({ partitionUnitsPerSecond: unitsPerSecond, ...shards }),
        },
      },
      clock,
      random,
      onEvent: (event) => events.push(event),
    }),
  )
  let at = 0
  const put = (key: string, client = 0) =>
    clients[client]?.send(
      new PutItemCommand({ TableName: 'log', Item: { pk: { S: key }, at: { N: String(at++) } } }),
    )
  /** Writes each key at its rate from random clients, and ignores the results. */
  const load = (rates: Record<string, number>, seconds: number) =>
    clock.run(async () => {
      const writers = Object.entries(rates).map(async ([key, perSecond]) => {
        const writes: Promise<unknown>[] = []
        for (let sent = 0; sent < perSecond * seconds; sent++) {
          await clock.sleep(((0.5 + random.next()) * 1_000) / perSecond)
          writes.push(Promise.resolve(put(key, Math.floor(random.next() * processes))).catch(() => {}))
        }
        await Promise.all(writes)
      })
      await Promise.all(writers)
    })
  const count = (key: string) => {
    const isOfKey = ({ pk }: Item) => pk !== undefined && 'S' in pk && pk.S === key
    const shards = tables.items('log_shard_map').find(isOfKey)?.number_of_shards
    // A key that was never hot has no item.
    return shards !== undefined && 'N' in shards ? Number(shards.N) : 1
  }
  const updates = (kind: 'SET' | 'ADD') =>
    tables.requests.filter(
      ({ operation, input }) =>
        operation === 'UpdateItem' &&
        input.TableName === 'log_shard_map' &&
        String(input.UpdateExpression).startsWith(kind),
    )
  return { tables, clock, events, clients, load, count, updates }
}

const scaled = (events: readonly IsothermEvent[]) => events.filter((event) => event.type === 'scaled')

describe('a throttled key', () => {
  it('grows in one step to the count that carries its load, and is throttled no more', async () => {
    const { events, load, count } = setUp({ shards: { jitter: ['1s', '1s'] } })
    await load({ hot: 60 }, 12)
    expect(count('hot')).toBeGreaterThanOrEqual(3)
    expect(count('hot')).toBeLessThanOrEqual(10)
    expect(scaled(events)).toHaveLength(1)
    const settled = events.length
    await load({ hot: 60 }, 12)
    expect(events.length - settled).toBeLessThanOrEqual(60 * 12 * 0.02)
  })

  it('waits for the cooldown between two steps', async () => {
    const { events, load, count } = setUp({
      shards: { policy: incrementBy(1), cooldown: '5s', jitter: ['100ms', '200ms'] },
    })
    await load({ hot: 100 }, 18)
    const times = scaled(events).map(({ at }) => at)
    expect(times.length).toBeGreaterThanOrEqual(3)
    for (const [index, at] of times.entries()) {
      if (index > 0) expect(at - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(4_500)
    }
    expect(count('hot')).toBe(1 + times.length)
  })

  it('stops at the maximum and says so', async () => {
    const { events, load, count } = setUp({ shards: { max: 2, cooldown: '5s', jitter: [0, 0] } })
    await load({ hot: 100 }, 15)
    expect(count('hot')).toBe(2)
    expect(events.filter(({ type }) => type === 'shard-limit-reached').length).toBeLessThanOrEqual(3)
    expect(events.some(({ type }) => type === 'shard-limit-reached')).toBe(true)
  })

  it.each([1, 2, 3, 4])('leaves its neighbours on the same partition alone (seed %i)', async (seed) => {
    const { load, count, events } = setUp({
      seed,
      unitsPerSecond: 40,
      shards: { jitter: ['1s', '2s'] },
      partitionOf: (key) => (/^(hot|calm\d)_1$/.test(key) ? 'shared' : key),
    })
    await load({ hot: 100, calm1: 4, calm2: 4, calm3: 4 }, 20)
    expect(count('hot')).toBeGreaterThan(1)
    expect(events.some((event) => event.type === 'throttled' && event.logicalKey === 'calm1')).toBe(true)
    expect([count('calm1'), count('calm2'), count('calm3')]).toEqual([1, 1, 1])
  })

  it.each([
    ['the whole table is too small', smallTable()],
    ["the account's quota is exhausted, and no reasons are given", throttled('RequestLimitExceeded', [])],
  ])('keeps its count when %s', async (_what, refusal) => {
    const { tables, load, count, events } = setUp({ shards: { jitter: [0, 0] } })
    tables.beforeWrite = (table) => {
      if (table === 'log' && tables.requests.length % 2 === 0) throw refusal
    }
    await load({ hot: 50 }, 6)
    expect(count('hot')).toBe(1)
    expect(events.filter(({ type }) => type === 'table-throttled').length).toBeLessThanOrEqual(8)
  })
})

describe('a shard map that may not be written', () => {
  it('is tried again every ten seconds, and not for each throttle', async () => {
    const { tables, load, count, events } = setUp({ shards: { jitter: [0, 0] } })
    const execute = tables.execute.bind(tables)
    tables.execute = (operation, input) => {
      if (operation !== 'UpdateItem' || input.TableName !== 'log_shard_map') return execute(operation, input)
      throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException', $fault: 'client' })
    }
    await load({ hot: 60 }, 25)
    const failures = events.filter(({ type }) => type === 'failed')
    expect(events.filter(({ type }) => type === 'throttled').length).toBeGreaterThan(500)
    expect(failures.length).toBeGreaterThanOrEqual(2)
    expect(failures.length).toBeLessThanOrEqual(4)
    expect(count('hot')).toBe(1)
  })
})

describe('a destroyed client', () => {
  it('changes nothing any more, and does not complain', async () => {
    const { load, events, clients, count } = setUp({ shards: { jitter: ['20s', '20s'] } })
    await load({ hot: 60 }, 10)
    for (const client of clients) client.destroy()
    await load({ calm: 1 }, 60)
    expect(count('hot')).toBe(1)
    expect(events.some(({ type }) => type === 'failed')).toBe(false)
  })
})

describe('a fleet that meets a hot key', () => {
  it.each([1, 2, 3, 4, 5])('changes its count once, with few refused writes (seed %i)', async (seed) => {
    const { events, load, count, updates } = setUp({
      seed,
      processes: 10,
      shards: { jitter: ['1s', '5s'] },
    })
    await load({ hot: 100 }, 15)
    const counts = scaled(events)
    expect(counts).toHaveLength(1)
    expect(counts[0]).toMatchObject({ from: 1, to: count('hot') })
    expect(updates('SET').length).toBeLessThanOrEqual(2)
    expect(updates('ADD').length).toBeLessThanOrEqual(15 * 12)
  })
})

describe('a table that is too small', () => {
  it('gets more capacity where that is allowed, once a cooldown and up to the bound', async () => {
    const tables = new FakeTables().create('log', { partitionKey: 'pk', sortKey: 'at', writeUnits: 10 })
    tables.create('log_shard_map', { partitionKey: 'pk' })
    const clock = new VirtualClock()
    const events: IsothermEvent[] = []
    const random: Random = new SeededRandom(1)
    const db = isotherm(bareClient(tables), {
      tables: {
        log: {
          partitionKey: 'pk',
          sortKey: 'at',
          suffix: 'random',
          shards: dynamicShards(),
          capacity: raiseWriteCapacity({ maxWriteUnits: 18, cooldown: '5s' }),
        },
      },
      clock,
      random,
      onEvent: (event) => events.push(event),
    })
    tables.beforeWrite = (table) => {
      if (table === 'log') throw smallTable()
    }
    await clock.run(async () => {
      for (let at = 0; at < 40; at++) {
        await db
          .send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, at: { N: String(at) } } }))
          .catch(() => {})
      }
    })
    const raised = events.flatMap((event) =>
      event.type === 'capacity-raised' ? [[event.from, event.to]] : [],
    )
    expect(raised).toEqual([
      [10, 15],
      [15, 18],
    ])
    expect(events.some(({ type }) => type === 'table-throttled')).toBe(true)
  })
})
