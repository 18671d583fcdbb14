import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import type { Item } from '@isotherm/semantics'
import { describe, expect, it, vi } from 'vitest'
import { bareClient, sdkClient } from '../../test/fake-client.js'
import { FakeTables, Refusal } from '../../test/fake-tables.js'
import { throttled } from '../../test/throttling.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import { jump, placeHash } from '../protocol/index.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

const keys = { partitionKey: 'pk', sortKey: 'at' }
const ITEMS = 60

function setUp(
  options: Partial<ShardedTableOptions> = {},
  shards = 6,
  shardOf = (at: number) => 1 + (at % shards),
) {
  const tables = new FakeTables().create('log', keys).create('log_shard_map', { partitionKey: 'pk' })
  for (let at = 0; at < ITEMS; at++) {
    const item = { pk: { S: `k_${shardOf(at)}` }, at: { N: String(at) } }
    tables.execute('PutItem', { TableName: 'log', Item: item })
  }
  tables.requests.length = 0
  const clock = new VirtualClock()
  const open = (client = bareClient(tables)) =>
    isotherm(client, {
      tables: {
        log: { ...keys, suffix: 'random', shards: fixedShards(shards), checkItems: false, ...options },
      },
      clock,
      random: new SeededRandom(5),
    })
  return { tables, clock, open }
}

const queryOf = (more: Partial<QueryCommandInput> = {}) =>
  new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'k' } },
    ...more,
  })

const shardMapItem = (item: Item): Item => ({ last_updated: { N: '1' }, pk: { S: 'k' }, ...item })

describe('a query with read replicas', () => {
  const indexesAsked = ({ requests }: FakeTables) => requests.map(({ input }) => input.IndexName)

  it('is distributed over them and the table, and each query uses one of them', async () => {
    const { tables, open } = setUp({ readReplicas: ['copy_1', 'copy_2'] })
    const db = open()
    const asked = new Map<string | undefined, number>()
    for (let query = 0; query < 90; query++) {
      tables.requests.length = 0
      expect((await db.send(queryOf())).Count).toBe(ITEMS)
      const indexes = new Set(indexesAsked(tables))
      expect(indexes.size).toBe(1)
      for (const index of indexes) asked.set(index, (asked.get(index) ?? 0) + 1)
    }
    expect([...asked.keys()].sort()).toEqual(['copy_1', 'copy_2', undefined])
    for (const queries of asked.values()) expect(queries).toBeGreaterThan(15)
  })

  it('uses only the table if it is consistent', async () => {
    const { tables, open } = setUp({ readReplicas: ['copy_1'] })
    const db = open()
    for (let query = 0; query < 20; query++) await db.send(queryOf({ ConsistentRead: true }))
    expect(new Set(indexesAsked(tables))).toEqual(new Set([undefined]))
  })

  it('continues with the table when a replica is throttled or does not respond', async () => {
    const { tables, open } = setUp({ readReplicas: ['copy_1'] })
    let failures = 0
    tables.beforeQuery = ({ IndexName }) => {
      if (IndexName === undefined) return
      failures += 1
      throw failures % 2 === 0
        ? throttled('ThrottlingException', ['IndexReadKeyRangeThroughputExceeded'], 'throttlingReasons')
        : new Refusal('ValidationException', 'The table does not have the specified index: copy_1')
    }
    const db = open()
    for (let query = 0; query < 20; query++) expect((await db.send(queryOf())).Count).toBe(ITEMS)
    expect(failures).toBeGreaterThan(5)
  })
})

describe('a throttled query', () => {
  const hot = () =>
    throttled('ThrottlingException', ['TableReadKeyRangeThroughputExceeded'], 'throttlingReasons')

  it('is retried, and emits an event for every attempt', async () => {
    const { tables, clock, open } = setUp()
    const left = new Map([
      ['k_2', 2],
      ['k_5', 1],
    ])
    tables.beforeQuery = ({ ExpressionAttributeValues }) => {
      const shard = ExpressionAttributeValues[':isotherm_partition'].S
      const refusals = left.get(shard) ?? 0
      left.set(shard, refusals - 1)
      if (refusals > 0) throw hot()
    }
    const db = open()
    await clock.run(async () => {
      const { Count, $metadata } = await db.send(queryOf())
      expect(Count).toBe(ITEMS)
      expect($metadata.attempts).toBe(tables.requests.length)
      expect($metadata.totalRetryDelay).toBeGreaterThan(0)
    })
  })

  it("fails after its attempts with the service's error, and stops its other requests", async () => {
    const { tables, clock, open } = setUp({ maxAttempts: 3 })
    tables.beforeQuery = ({ ExpressionAttributeValues }) => {
      if (ExpressionAttributeValues[':isotherm_partition'].S !== 'k_6') throw hot()
    }
    const db = open()
    await clock.run(async () => {
      await expect(db.send(queryOf())).rejects.toMatchObject({
        name: 'ThrottlingException',
        $metadata: { attempts: 3 },
      })
    })
    const sent = tables.requests.length
    await clock.run(() => clock.sleep(60_000))
    expect(tables.requests.length).toBe(sent)
  })

  it('fails after its deadline', async () => {
    const { tables, clock, open } = setUp({ maxAttempts: 100, retryDeadline: '2s' })
    tables.beforeQuery = () => {
      throw hot()
    }
    const db = open()
    await clock.run(async () => {
      const from = clock.now()
      await expect(db.send(queryOf())).rejects.toMatchObject({ name: 'ThrottlingException' })
      expect(clock.now() - from).toBeLessThanOrEqual(2_000)
    })
  })

  it("uses none of the SDK's retries, which all keys share", async () => {
    const { tables, clock, open } = setUp({ maxAttempts: 4 })
    tables.beforeQuery = () => {
      throw hot()
    }
    const client = await sdkClient(tables)
    const strategy = (await client.config.retryStrategy()) as unknown as { getCapacity(): number }
    const before = strategy.getCapacity()
    const db = open(client)
    await clock.run(async () => {
      for (let query = 0; query < 20; query++) {
        await expect(db.send(queryOf())).rejects.toMatchObject({ name: 'ThrottlingException' })
      }
    })
    expect(before).toBeGreaterThan(0)
    expect(strategy.getCapacity()).toBe(before)
  })
})

describe('a query that is aborted', () => {
  it.each(['before it is sent', 'while its shards are asked', 'while it waits to try again'])(
    'ends at once %s',
    async (when) => {
      const { tables, clock, open } = setUp({}, 40)
      const abort = new AbortController()
      if (when.startsWith('before')) abort.abort()
      tables.beforeQuery = () => {
        if (when.startsWith('while its') && tables.requests.length === 10) abort.abort()
        if (when.startsWith('while it waits')) throw throttled('ThrottlingException', [])
      }
      const db = open()
      await clock.run(async () => {
        const query = db.send(queryOf(), { abortSignal: abort.signal })
        if (when.startsWith('while it waits')) clock.sleep(1).then(() => abort.abort())
        await expect(query).rejects.toMatchObject({ name: 'AbortError' })
      })
      const sent = tables.requests.length
      await clock.run(() => clock.sleep(60_000))
      expect(tables.requests.length).toBe(sent)
      if (when.startsWith('before')) expect(sent).toBe(0)
    },
  )

  it('ends with the client too, without unhandled rejections', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const { tables, clock, open } = setUp({}, 40)
    const db = open()
    tables.beforeQuery = () => {
      if (tables.requests.length === 7) db.destroy()
    }
    await clock.run(async () => {
      await expect(db.send(queryOf())).rejects.toMatchObject({ name: 'AbortError' })
      await clock.sleep(1_000)
    })
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe('a query of shards between which items move', () => {
  it('reads the source shards with the requested consistency, and then the target shards consistently', async () => {
    const { tables, open } = setUp(
      { suffix: 'calculated', shards: dynamicShards() },
      4,
      (at) => jump(placeHash([{ N: String(at) }]), 4) + 1,
    )
    const state = {
      number_of_shards: { N: '4' },
      shard_history: { SS: ['0:2', '1:4'] },
      phase: { S: 'moved' },
      from_shards: { N: '2' },
      to_shards: { N: '4' },
    }
    tables.execute('PutItem', { TableName: 'log_shard_map', Item: shardMapItem(state) })
    tables.requests.length = 0
    await open().send(queryOf({ Limit: 1 }))
    const asked = tables.requests
      .filter(({ operation }) => operation === 'Query')
      .map(({ input }) => [
        input.ExpressionAttributeValues[':isotherm_partition'].S,
        input.ConsistentRead === true,
      ])
    expect(asked).toEqual([
      ['k_1', false],
      ['k_2', false],
      ['k_3', true],
      ['k_4', true],
    ])
  })
})

describe('a query that takes longer than its view of the shards is valid', () => {
  const state = { number_of_shards: { N: '2' }, shard_history: { SS: ['0:2'] } }

  function slow(milliseconds: (request: number) => number) {
    const opened = setUp({ shards: dynamicShards(), cacheTtl: '10s', lateRequests: '5s' }, 2)
    const { tables, clock } = opened
    tables.execute('PutItem', { TableName: 'log_shard_map', Item: shardMapItem(state) })
    const client = bareClient(tables)
    const send = client.send.bind(client)
    let request = 0
    Object.assign(client, {
      send: async (command: QueryCommand) => {
        if (command instanceof QueryCommand) await clock.sleep(milliseconds(request++))
        return send(command)
      },
    })
    return { ...opened, db: opened.open(client) }
  }

  it('reads the shard map again, and returns everything once', async () => {
    // One of the first two responses comes too late.
    const { tables, clock, db } = slow((request) => (request === 1 ? 15_000 : 10))
    await clock.run(async () => {
      const { Items = [] } = await db.send(queryOf({ Limit: 40 }))
      expect(Items.map(({ at }) => Number(at?.N))).toEqual(Array.from({ length: 40 }, (_, at) => at))
    })
    const looks = tables.requests.filter(({ operation }) => operation === 'GetItem').length
    expect(looks).toBeGreaterThanOrEqual(2)
  })

  it('fails when that happens five times', async () => {
    const { tables, clock, db } = slow(() => 16_000)
    await clock.run(async () => {
      await expect(db.send(queryOf())).rejects.toMatchObject({
        code: 'query.outdated',
        details: { table: 'log', lateRequestMilliseconds: 5_000 },
      })
    })
    expect(tables.requests.filter(({ operation }) => operation === 'Query')).toHaveLength(5 * 2)
  })
})
