import { PutItemCommand, type PutItemCommandInput } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { sdkClient } from '../../test/fake-client.js'
import { FakeTables, Refusal } from '../../test/fake-tables.js'
import { retryAtOnce } from '../../test/retry-at-once.js'
import { hotPartition, smallTable, throttled } from '../../test/throttling.js'
import { isotherm } from '../client/isotherm.js'
import type { ShardedTableOptions } from '../client/options.js'
import type { IsothermEvent } from '../events/event.js'
import { fixedShards } from '../scaling/shards.js'

async function setUp(table: Partial<ShardedTableOptions> = {}, schema: { writeUnits?: number } = {}) {
  const tables = new FakeTables().create('log', { partitionKey: 'pk', sortKey: 'at', ...schema })
  const clock = new VirtualClock()
  const events: IsothermEvent[] = []
  const client = await sdkClient(tables)
  const db = isotherm(client, {
    tables: {
      log: {
        partitionKey: 'pk',
        sortKey: 'at',
        suffix: 'random',
        shards: fixedShards(5),
        checkItems: false,
        ...table,
      },
    },
    clock,
    random: new SeededRandom(7),
    onEvent: (event) => events.push(event),
  })
  const put = (input: Partial<PutItemCommandInput> = {}) =>
    db.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, at: { N: '1' } }, ...input }))
  const shardsTried = () => tables.requests.map(({ input }) => input.Item.pk.S)
  return { tables, clock, events, client, db, put, shardsTried }
}

const ofType = (events: readonly IsothermEvent[], type: IsothermEvent['type']) =>
  events.filter((event) => event.type === type)

describe('a put that its partition throttles', () => {
  it('goes at once to another shard, and counts every attempt', async () => {
    const { tables, clock, put, shardsTried } = await setUp()
    let refusals = 3
    tables.beforeWrite = () => {
      if (refusals-- > 0) throw hotPartition()
    }
    const from = clock.now()
    const output = await put()
    expect(new Set(shardsTried()).size).toBe(4)
    expect(output.$metadata).toMatchObject({ attempts: 4, totalRetryDelay: 0 })
    expect(clock.now()).toBe(from)
  })

  it('waits between later attempts, and finally throws the error of the SDK', async () => {
    const { tables, clock, put, shardsTried } = await setUp({ maxAttempts: 6 })
    tables.beforeWrite = () => {
      throw hotPartition()
    }
    const from = clock.now()
    const error = await clock.run(() => put().catch((failure: unknown) => failure))
    expect(error).toMatchObject({
      name: 'ThrottlingException',
      $metadata: { attempts: 6, httpStatusCode: 400 },
    })
    expect(shardsTried()).toHaveLength(6)
    expect(clock.now() - from).toBeGreaterThan(0)
    expect(clock.now() - from).toBeLessThanOrEqual(25 + 50)
  })

  it('uses none of the retry budget that all keys of the client share', async () => {
    const { tables, clock, client, put } = await setUp()
    tables.beforeWrite = () => {
      throw hotPartition()
    }
    await clock.run(() => Promise.allSettled(Array.from({ length: 60 }, () => put())))
    const strategy = (await client.config.retryStrategy()) as unknown as { getCapacity(): number }
    expect(strategy.getCapacity()).toBe(500)
  })

  it('emits an event for each throttle, with its shard and its reason', async () => {
    const { tables, events, put } = await setUp()
    let refusals = 1
    tables.beforeWrite = () => {
      if (refusals-- > 0) throw hotPartition()
    }
    await put()
    expect(ofType(events, 'throttled')).toMatchObject([
      {
        table: 'log',
        logicalKey: 'k',
        attempt: 1,
        scope: 'partition',
        reasons: ['TableWriteKeyRangeThroughputExceeded'],
      },
    ])
  })

  it.each([undefined, 'enough', new Error('enough')])(
    'ends with an abort error when it is aborted while it waits, with the reason %s',
    async (reason) => {
      const { tables, clock, db } = await setUp({ shards: fixedShards(1) })
      const aborter = new AbortController()
      tables.beforeWrite = () => {
        throw hotPartition()
      }
      const Item = { pk: { S: 'k' }, at: { N: '1' } }
      const { signal: abortSignal } = aborter
      const sent = clock.run(async () => {
        const put = db.send(new PutItemCommand({ TableName: 'log', Item }), { abortSignal })
        const abort = clock.sleep(100).then(() => aborter.abort(reason))
        await Promise.all([put, abort])
      })
      const error = await sent.catch((failure: unknown) => failure)
      expect(error).toMatchObject({ name: 'AbortError', cause: abortSignal.reason })
    },
  )

  it('stops waiting when the request is aborted', async () => {
    const { tables, clock, db } = await setUp({ shards: fixedShards(1) })
    const aborter = new AbortController()
    tables.beforeWrite = () => {
      aborter.abort(new Error('enough'))
      throw hotPartition()
    }
    const command = new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, at: { N: '1' } } })
    await expect(clock.run(() => db.send(command, { abortSignal: aborter.signal }))).rejects.toThrow(/abort/)
    expect(tables.requests).toHaveLength(1)
  })
})

describe('a put whose earlier attempt may have succeeded', () => {
  it('stays on its shard, so that the item never exists twice', async () => {
    const { tables, clock, client, put, shardsTried } = await setUp()
    retryAtOnce(client)
    const outcomes = [new Refusal('InternalServerError', 'Lost.'), hotPartition(), hotPartition()]
    tables.beforeWrite = () => {
      const outcome = outcomes.shift()
      if (outcome !== undefined) throw outcome
    }
    await clock.run(() => put())
    expect(shardsTried()).toHaveLength(4)
    expect(new Set(shardsTried()).size).toBe(1)
  })
})

describe('a put that the whole table throttles', () => {
  it('waits instead of trying other shards, and reports that the table is too small', async () => {
    const { tables, clock, events, put } = await setUp()
    let refusals = 2
    tables.beforeWrite = () => {
      if (refusals-- > 0) throw smallTable()
    }
    const from = clock.now()
    await clock.run(() => put())
    expect(clock.now()).toBeGreaterThan(from)
    expect(ofType(events, 'table-throttled')).toMatchObject([{ table: 'log' }])
    expect(ofType(events, 'throttled')).toMatchObject([{ scope: 'table' }, { scope: 'table' }])
  })

  it('is not told from a hot partition by the writes of one process, when the service gives no reason', async () => {
    const scopes = async (writeUnits: number | undefined) => {
      const { tables, clock, events, put } = await setUp({}, writeUnits === undefined ? {} : { writeUnits })
      for (let at = 0; at < 10; at++) await put({ Item: { pk: { S: 'k' }, at: { N: String(at) } } })
      let refusals = 1
      tables.beforeWrite = () => {
        if (refusals-- > 0) throw throttled('ProvisionedThroughputExceededException', [])
      }
      await clock.run(() => put())
      return ofType(events, 'throttled').map((event) => event.type === 'throttled' && event.scope)
    }
    // More shards cannot help a table that has no more capacity than one partition.
    expect(await scopes(10)).toEqual(['table'])
    expect(await scopes(1_000)).toEqual(['table'])
    expect(await scopes(4_000)).toEqual(['unknown'])
    expect(await scopes(undefined)).toEqual(['unknown'])
  })
})

describe('a put into a sharded table', () => {
  it('is rejected with legacy parameters', async () => {
    const { put, tables } = await setUp()
    const refused = { code: 'command.parameter-unsupported' }
    await expect(put({ Expected: {} })).rejects.toMatchObject(refused)
    await expect(put({ ConditionalOperator: 'OR' })).rejects.toMatchObject(refused)
    expect(tables.requests).toEqual([])
  })

  it('is rejected with a key that cannot have a suffix', async () => {
    const { put } = await setUp()
    await expect(put({ Item: { pk: { N: '1' } } })).rejects.toMatchObject({
      code: 'key.type',
      details: { type: 'N' },
    })
    await expect(put({ Item: { at: { N: '1' } } })).rejects.toMatchObject({ code: 'key.missing' })
    const long = { pk: { S: 'é'.repeat(1_024) }, at: { N: '1' } }
    await expect(put({ Item: long })).rejects.toMatchObject({
      code: 'key.too-long',
      details: { bytes: 2_050 },
    })
  })
})
