import {
  PutItemCommand,
  type TransactGetItem,
  TransactGetItemsCommand,
  type TransactGetItemsCommandInput,
  type TransactGetItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { shardedEngine } from '../../test/sharded-engine.js'
import { CUSTOMER, keyOf, type Situation, TwinTables } from '../../test/twin-tables.js'
import { MAX_LATE_VIEWS } from '../attempts/slow-shard-map.js'
import { atRest } from '../protocol/states/shard-state.js'
import { dynamicShards } from '../scaling/shards.js'

const SHARDS = 3
const RANDOM: Situation = { name: 'random', suffix: 'random', shards: SHARDS }
const CALCULATED: Situation = {
  name: 'calculated',
  suffix: 'calculated',
  shards: SHARDS,
  state: atRest({ shards: SHARDS, lastUpdated: 1, history: [`1:${SHARDS}`] }),
}

const gets = (...items: readonly TransactGetItem['Get'][]) =>
  new TransactGetItemsCommand({ TransactItems: items.map((Get) => ({ Get })) })
const get = (id: number, TableName = 'sharded', ProjectionExpression?: string) => ({
  TableName,
  Key: keyOf(id),
  ...(ProjectionExpression === undefined ? {} : { ProjectionExpression }),
})

/** The cancellation of a transaction with one reason for each of its actions. */
function cancelled(...codes: readonly string[]): Error {
  return Object.assign(new Error('cancelled'), {
    name: 'TransactionCanceledException',
    $metadata: { httpStatusCode: 400, requestId: 'last' },
    CancellationReasons: codes.map((Code) => ({ Code })),
  })
}

const readHeat = ({ db }: TwinTables) => db.heat()[0]?.reads?.keys[0]

describe('a transaction of reads', () => {
  it('has a response for each member, whatever the number of shards that it reads', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      const item = (id: number) => ({ ...keyOf(id), version: { N: String(id) } })
      for (const id of [1, 2, 3, 4]) await twins.seed(item(id), { place: id, isMarked: false })
      await twins.plain.send(new PutItemCommand({ TableName: 'other', Item: item(5) }))
      const { Responses } = await twins.db.send(
        gets(
          get(1),
          get(5, 'other'),
          get(6),
          get(2, 'sharded', 'version'),
          get(3, 'sharded', 'absent'),
          get(4, 'sharded', 'customer, version'),
        ),
      )
      expect(Responses).toEqual([
        { Item: item(1) },
        { Item: item(5) },
        {},
        { Item: { version: { N: '2' } } },
        { Item: {} },
        { Item: { customer: CUSTOMER, version: { N: '4' } } },
      ])
    })
  })

  it('returns the copy in the lowest shard of an item that was put twice', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      for (const shard of [3, 1, 2]) {
        const Item = { ...keyOf(1), customer: { S: `${CUSTOMER.S}_${shard}` }, copy: { N: String(shard) } }
        await twins.plain.send(new PutItemCommand({ TableName: 'sharded', Item }))
      }
      const { Responses } = await twins.db.send(gets(get(1)))
      expect(Responses).toEqual([{ Item: { ...keyOf(1), copy: { N: '1' } } }])
    })
  })

  it('is heat of its key: two units for each shard that it reads', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      await twins.db.send(gets(get(1)))
      expect(readHeat(twins)?.acceptedUnitsPerSecond).toBeCloseTo((SHARDS * 2) / 5)
      expect(readHeat(twins)?.throttledUnitsPerSecond).toBe(0)
    })
  })

  it('that takes longer than its view is valid is repeated, and fails when that happens repeatedly', async () => {
    const twins = new TwinTables(CALCULATED, { cacheTtl: '10s', lateRequests: '20s' })
    let requests = 0
    twins.beforeRequest = async (operation) => {
      if (operation !== 'TransactGetItems') return
      requests += 1
      await twins.clock.sleep(30_000)
    }
    await twins.run(async () => {
      const command = gets(get(4, 'other'), get(1))
      await expect(twins.db.send(command)).rejects.toMatchObject({ code: 'shard-map.slow' })
    })
    expect(requests).toBe(MAX_LATE_VIEWS + 1)
  })

  it('is cancelled with one reason for each member, and each throttled shard is heat of its key', async () => {
    const twins = new TwinTables(RANDOM)
    const answers = [
      cancelled('None', 'ThrottlingError', 'ThrottlingError', 'None', 'None', 'None', 'None'),
      cancelled('None', 'None', 'None', 'ThrottlingError', 'None', 'None', 'TransactionConflict'),
    ]
    twins.beforeRequest = (operation) => {
      const answer = operation === 'TransactGetItems' ? answers.shift() : undefined
      if (answer !== undefined) throw answer
    }
    await twins.run(async () => {
      const command = () => gets(get(1), get(4, 'other'), get(2))
      await expect(twins.db.send(command())).rejects.toMatchObject({
        name: 'TransactionCanceledException',
        $metadata: { requestId: 'last' },
        CancellationReasons: [{ Code: 'ThrottlingError' }, { Code: 'None' }, { Code: 'None' }],
      })
      // Nothing was answered yet, so each throttled shard counts as the least read.
      expect(readHeat(twins)?.offeredUnitsPerSecond).toBeCloseTo((2 * 0.5) / 5)
      await expect(twins.db.send(command())).rejects.toMatchObject({
        CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }, { Code: 'TransactionConflict' }],
      })
      // A throttle of another table is no heat of this one.
      expect(readHeat(twins)?.offeredUnitsPerSecond).toBeCloseTo((2 * 0.5) / 5)
    })
  })

  it('is sent again when it meets the move of an item, and fails with that reason when no attempt is left', async () => {
    const moving = {
      shards: 5,
      lastUpdated: 2,
      history: ['1:2', '2:5'],
      phase: 'moved',
      from: 2,
      to: 5,
    } as const
    const twins = new TwinTables({ ...CALCULATED, shards: 5, state: moving }, { maxAttempts: 3 })
    // With the sort key 7 it has two places.
    const command = () => gets(get(4, 'other'), get(7))
    const conflict = () => cancelled('None', 'TransactionConflict', 'None')
    let left = 0
    let error = conflict
    twins.beforeRequest = (operation) => {
      if (operation === 'TransactGetItems' && left-- > 0) throw error()
    }
    await twins.run(async () => {
      await twins.seed(keyOf(7), { place: 0, isMarked: true })
      left = 2
      const { Responses, $metadata } = await twins.db.send(command())
      expect(Responses).toEqual([{}, { Item: keyOf(7) }])
      expect($metadata.attempts).toBe(3)
      expect($metadata.totalRetryDelay).toBeGreaterThan(0)
      left = 100
      const reasons = { CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }] }
      await expect(twins.db.send(command())).rejects.toMatchObject({ ...reasons, $metadata: { attempts: 3 } })
      expect(left).toBe(97)
      // Not of the library: a conflict on an unsharded table.
      error = () => cancelled('TransactionConflict', 'TransactionConflict', 'None')
      await expect(twins.db.send(command())).rejects.toMatchObject({ name: 'TransactionCanceledException' })
      expect(left).toBe(96)
    })
  })

  it('throws any other error as it is', async () => {
    const twins = new TwinTables(RANDOM)
    const error = Object.assign(new Error('lost'), { name: 'InternalServerError' })
    twins.beforeRequest = (operation) => {
      if (operation === 'TransactGetItems') throw error
    }
    await twins.run(async () => {
      await expect(twins.db.send(gets(get(1)))).rejects.toBe(error)
      expect(error.message).toBe('lost')
    })
  })

  it('is cancelled without reasons where the service tells none', async () => {
    const twins = new TwinTables(RANDOM)
    twins.beforeRequest = (operation) => {
      if (operation === 'TransactGetItems')
        throw Object.assign(cancelled(), { CancellationReasons: undefined })
    }
    await twins.run(async () => {
      await expect(twins.db.send(gets(get(1), get(4, 'other')))).rejects.toMatchObject({
        CancellationReasons: [{ Code: 'None' }, { Code: 'None' }],
      })
    })
  })

  it('finds nothing where no item is, in unsharded tables, too', async () => {
    const twins = new TwinTables(CALCULATED)
    await twins.run(async () => {
      const command = () => gets(get(4, 'other'), get(1))
      expect((await twins.db.send(command())).Responses).toEqual([{}, {}])
      twins.answerInstead = (operation) => (operation === 'TransactGetItems' ? { $metadata: {} } : undefined)
      expect((await twins.db.send(command())).Responses).toEqual([{}, {}])
    })
  })

  it('of one shard is sent with the projection of the application', async () => {
    const twins = new TwinTables(CALCULATED)
    const sent: (TransactGetItem['Get'] | undefined)[] = []
    twins.beforeRequest = (operation, input) => {
      if (operation !== 'TransactGetItems') return
      for (const { Get } of (input as TransactGetItemsCommandInput).TransactItems ?? []) sent.push(Get)
    }
    await twins.run(async () => {
      await twins.db.send(gets(get(1, 'sharded', 'version')))
      expect(sent).toMatchObject([{ ProjectionExpression: 'version' }])
    })
  })

  it('passes a member on that names no table', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      const sent: object[] = []
      twins.answerInstead = (operation, input): TransactGetItemsCommandOutput | undefined => {
        if (operation !== 'TransactGetItems') return undefined
        sent.push((input as { TransactItems: readonly object[] }).TransactItems)
        return { $metadata: {}, Responses: [{ Item: { a: { S: 'x' } } }] }
      }
      const { Responses } = await twins.db.send(
        new TransactGetItemsCommand({ TransactItems: [{ Get: undefined }, { Get: get(1) }] }),
      )
      expect(sent).toEqual([[{ Get: undefined }, expect.anything(), expect.anything(), expect.anything()]])
      expect(Responses).toEqual([{ Item: { a: { S: 'x' } } }, {}])
    })
  })
})

describe('a transaction of reads of a key that is known', () => {
  it('asks the tables alone, for a calculated key', async () => {
    const twins = new TwinTables(CALCULATED)
    const sent: string[] = []
    await twins.run(async () => {
      await twins.db.send(gets(get(1)))
      twins.beforeRequest = (operation) => void sent.push(operation)
      await twins.db.send(gets(get(1), get(2)))
    })
    expect(sent).toEqual(['TransactGetItems'])
  })

  it('asks the tables alone, for an item in the first shard of a random key that was never hot', async () => {
    const { clock, client, process, close } = await shardedEngine({
      suffix: 'random',
      shards: dynamicShards({ initial: 1 }),
    })
    const sent: string[] = []
    await clock.run(async () => {
      const key = (pk: string) => ({ pk: { S: pk }, sk: { N: '1' } })
      const db = process()
      for (const pk of ['k', 'other']) await db.send(new PutItemCommand({ TableName: 'log', Item: key(pk) }))
      watchRequests(client, { after: ({ operation }) => void sent.push(operation) })
      const Get = { TableName: 'log', Key: key('k') }
      expect((await db.send(gets(Get))).Responses).toEqual([{ Item: key('k') }])
    })
    expect(sent).toEqual(['TransactGetItems'])
    await close()
  })
})

describe('a transaction of reads of a random key', () => {
  it.each([1, 2])('finds an item in a shard that was added since, from %i shards', async (initial) => {
    const { clock, client, process, close } = await shardedEngine({
      suffix: 'random',
      shards: dynamicShards({ initial }),
    })
    await clock.run(async () => {
      const key = (pk: string, sk: number) => ({ pk: { S: pk }, sk: { N: String(sk) } })
      const db = process()
      const reads = (...numbers: readonly number[]) =>
        new TransactGetItemsCommand({
          TransactItems: numbers.map((sk) => ({ Get: { TableName: 'log', Key: key('k', sk) } })),
        })
      await db.send(new PutItemCommand({ TableName: 'log', Item: key('k', 0) }))
      expect((await db.send(reads(0, 1))).Responses).toEqual([{ Item: key('k', 0) }, {}])
      await process().shards('log', 'k').set(5)
      await client.send(new PutItemCommand({ TableName: 'log', Item: key('k_5', 1) }))
      expect((await db.send(reads(0, 1, 2))).Responses).toEqual([
        { Item: key('k', 0) },
        { Item: key('k', 1) },
        {},
      ])
    })
    await close()
  })

  it('has the attempts and the units of all requests that it took', async () => {
    const { clock, client, process, close } = await shardedEngine({
      suffix: 'random',
      shards: dynamicShards({ initial: 1 }),
    })
    let requests = 0
    let units = 0
    watchRequests(client, {
      after: ({ operation }, { read }) => {
        if (operation !== 'TransactGetItems') return
        requests += 1
        units += read
      },
    })
    await clock.run(async () => {
      const db = process()
      const Key = { pk: { S: 'k' }, sk: { N: '1' } }
      await db.send(new PutItemCommand({ TableName: 'log', Item: { ...Key, sk: { N: '0' } } }))
      await process().shards('log', 'k').set(5)
      await client.send(new PutItemCommand({ TableName: 'log', Item: { ...Key, pk: { S: 'k_5' } } }))
      const { Responses, $metadata, ConsumedCapacity } = await db.send(
        new TransactGetItemsCommand({
          TransactItems: [{ Get: { TableName: 'log', Key } }],
          ReturnConsumedCapacity: 'TOTAL',
        }),
      )
      expect(Responses).toEqual([{ Item: Key }])
      expect(requests).toBeGreaterThan(1)
      expect($metadata.attempts).toBe(requests)
      expect(ConsumedCapacity).toMatchObject([{ TableName: 'log', CapacityUnits: units }])
    })
    await close()
  })
})
