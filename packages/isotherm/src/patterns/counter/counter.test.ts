import {
  BatchGetItemCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import * as core from '../../core.js'
import { fixedShards, IsothermError, isotherm } from '../../index.js'
import { type CounterOptions, counter } from './index.js'

const options = { table: 'counters', partitionKey: 'id', key: 'Campaign#101' }

async function engineWith(given: Partial<CounterOptions> = {}, lostReplies = 0) {
  const engine = await patternEngine([createTable('counters', ['id'])], { throttle: false })
  const { clock } = engine
  const open = (seed: number, more: Partial<CounterOptions> = {}) =>
    counter(engine.network(seed, lostReplies), {
      ...options,
      clock,
      random: new SeededRandom(seed),
      ...given,
      ...more,
    })
  return { ...engine, open }
}

describe('a counter', () => {
  it('adds and subtracts, and is 0 before anybody counts', async () => {
    const { clock, open } = await engineWith()
    await clock.run(async () => {
      const votes = open(1)
      expect(await votes.value()).toBe(0)
      expect(await votes.add(5)).toEqual({ isNew: true })
      await votes.subtract(7)
      expect(await votes.value()).toBe(-2)
      expect(await open(2).value()).toBe(-2)
    })
  })

  it('counts a token once, whoever sends it and however often', async () => {
    const { clock, open } = await engineWith({ initial: 8 })
    await clock.run(async () => {
      expect(await open(1).add(3, { token: 'a' })).toEqual({ isNew: true })
      expect(await open(2).add(3, { token: 'a' })).toEqual({ isNew: false })
      const many = await Promise.all(
        Array.from({ length: 10 }, (_, index) => open(10 + index).add(1, { token: 'b' })),
      )
      expect(many.filter(({ isNew }) => isNew)).toHaveLength(1)
      expect(await open(4).value()).toBe(4)
    })
  })

  it('is exact with tokens while answers are lost and it is rolled up, and never less or more meanwhile', async () => {
    const { clock, open } = await engineWith({ initial: 16 }, 0.1)
    await clock.run(async () => {
      let [sent, done, isOver] = [0, 0, false]
      const tokens = Array.from({ length: 600 }, (_, index) => `token${index}`)
      const count = async (votes: ReturnType<typeof open>, own: readonly string[]) => {
        for (const token of own) {
          sent += 1
          await answered(() => votes.add(1, { token }))
          done += 1
        }
      }
      const look = async () => {
        while (!isOver) {
          const before = done
          const value = await answered(() => open(50).value())
          expect(value).toBeGreaterThanOrEqual(before)
          expect(value).toBeLessThanOrEqual(sent)
        }
      }
      const rollUp = async () => {
        for (let shards = 15; shards > 0; shards--) {
          await answered(() => open(60 + shards).rollUp({ shards }))
          await clock.sleep(50)
        }
      }
      const looks = [look(), rollUp()]
      await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          count(open(index + 1), tokens.slice(index * 100, index * 100 + 100)),
        ),
      )
      isOver = true
      await Promise.all(looks)
      expect(await answered(() => open(99).value())).toBe(600)
      await answered(() => open(98).rollUp({ shards: 1 }))
      expect(await answered(() => open(99).value())).toBe(600)
    })
  })

  it('refuses a count in a shard that was closed: a process with an old number of shards looks again', async () => {
    const { clock, client, open } = await engineWith({ initial: 50 })
    await clock.run(async () => {
      const old = open(1)
      await old.add(1)
      await open(2).rollUp({ shards: 1 })
      await Promise.all(Array.from({ length: 20 }, () => old.add(1)))
      expect(await open(3).value()).toBe(21)
      const { Items = [] } = await client.send(new ScanCommand({ TableName: 'counters' }))
      const counting = Items.filter(({ n }) => n !== undefined && n.N !== '0')
      expect(counting.map(({ id }) => id?.S)).toEqual(['Campaign#101#isotherm#1'])
    })
  })

  it('closes a shard again that a growth has opened between two lowerings', async () => {
    const { clock, client, local, open } = await engineWith()
    await clock.run(async () => {
      await open(1, { initial: 30 }).add(1)
      const far = local.client()
      let isGrown = false
      far.middlewareStack.add(
        (next) => async (args) => {
          const output = await next(args)
          // Once the first shards are closed, another process grows the counter, and counts in all its shards.
          if (!isGrown && JSON.stringify(args.input).includes('SET closed')) {
            isGrown = true
            await client.send(
              new UpdateItemCommand({
                TableName: 'counters',
                Key: { id: { S: 'Campaign#101' } },
                UpdateExpression: 'SET shards = :shards ADD generation :one',
                ExpressionAttributeValues: { ':shards': { N: '30' }, ':one': { N: '1' } },
              }),
            )
            const other = counter(client, { ...options, clock, random: new SeededRandom(3) })
            for (let counted = 0; counted < 200; counted++) await other.add(1)
          }
          return output
        },
        { step: 'initialize' },
      )
      await counter(far, { ...options, clock, random: new SeededRandom(2) }).rollUp({ shards: 2 })
      expect(isGrown).toBe(true)
      expect(await open(4).value()).toBe(201)
    })
  })

  it('rolls up into one item, and reads little after its shards were lowered', async () => {
    const { clock, client, open } = await engineWith({ initial: 100 })
    await clock.run(async () => {
      const votes = open(1)
      await Promise.all(Array.from({ length: 300 }, () => votes.add(2)))
      expect(await votes.rollUp()).toBe(600)
      expect(await votes.rollUp()).toBe(0)
      const head = { TableName: 'counters', Key: { id: { S: 'Campaign#101' } }, ConsistentRead: true }
      expect((await client.send(new GetItemCommand(head))).Item?.rolled_up).toEqual({ N: '600' })
      await votes.rollUp({ shards: 1 })
      const reader = counter(client, { ...options, clock })
      // The first call of a client describes the table.
      expect(await reader.value()).toBe(600)
      const reads: unknown[] = []
      client.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            reads.push(
              commandName === BatchGetItemCommand.name
                ? Object(args.input).RequestItems.counters.Keys.length
                : 1,
            )
            return next(args)
          },
        { step: 'initialize' },
      )
      expect(await reader.value()).toBe(600)
      expect(reads).toEqual([1, 1, 1])
    })
  })

  it('is reset to zero, and loses nothing that is counted meanwhile', async () => {
    const { clock, open } = await engineWith({ initial: 4 }, 0.05)
    await clock.run(async () => {
      const tokens = Array.from({ length: 300 }, (_, index) => `t${index}`)
      let taken = 0
      const counting = Promise.all(
        tokens.map(async (token, index) => {
          await clock.sleep(index)
          await answered(() => open(100 + index).add(1, { token }))
        }),
      )
      for (let times = 0; times < 10; times++) {
        await clock.sleep(25)
        taken += await answered(() => open(77).reset())
      }
      await counting
      const left = await answered(() => open(78).value())
      // A reset whose answers were all lost may have happened, and returned nothing.
      expect(taken + left).toBeLessThanOrEqual(300)
      expect(await answered(() => open(79).reset())).toBe(left)
      expect(await answered(() => open(80).value())).toBe(0)
    })
  })

  it.each([2, 10, 40])(
    'is within the margin of an estimate from %i shards, of a hundred estimates in 97',
    async (k) => {
      const { clock, client, open } = await engineWith({ initial: 5 })
      await clock.run(async () => {
        const votes = open(1)
        await Promise.all(Array.from({ length: 1_000 }, () => votes.add(1)))
        // As if it had grown.
        const grown = { shards: { N: '60' }, highest: { N: '60' }, generation: { N: '2' } }
        const steps = { L: [{ N: '5' }, { N: '60' }] }
        await client.send(
          new PutItemCommand({ TableName: 'counters', Item: { id: { S: 'Campaign#101' }, ...grown, steps } }),
        )
        const grownVotes = open(2)
        await Promise.all(Array.from({ length: 3_000 }, () => grownVotes.add(1)))
        const value = await votes.value()
        expect(value).toBe(4_000)
        const random = new SeededRandom(k)
        const reader = counter(client, { ...options, clock, random })
        let within = 0
        for (let times = 0; times < 100; times++) {
          const estimate = await reader.estimate(k)
          expect(estimate).toMatchObject({ shards: 60, shardsRead: Math.max(4, k) })
          if (Math.abs(estimate.value - value) <= estimate.margin) within += 1
          expect(estimate.margin).toBeGreaterThan(0)
        }
        expect(within).toBeGreaterThanOrEqual(97)
        expect(await reader.estimate(60)).toEqual({ value, margin: 0, shardsRead: 60, shards: 60 })
      })
    },
  )
})

describe('a counter stands', () => {
  const sharded = {
    partitionKey: 'id',
    sortKey: 'part',
    suffix: 'calculated' as const,
    shards: fixedShards(3),
  }

  it.each([
    ['on a document client', (client: never) => DynamoDBDocumentClient.from(client)],
    ['beside sharded tables', (client: never) => isotherm(client, { tables: { other: sharded } })],
    ['in a sharded table', (client: never) => isotherm(client, { tables: { counters: sharded } })],
    [
      'in a sharded table of a document client',
      (client: never) => isotherm(DynamoDBDocumentClient.from(client), { tables: { counters: sharded } }),
    ],
    [
      'on a client of parts',
      (client: never) =>
        core.isotherm(client, {
          parts: [core.items, core.batches, core.transactions],
          tables: { counters: { ...sharded, suffix: core.calculated() } },
        }),
    ],
  ])('%s', async (_where, wrap) => {
    const { clock, client } = await patternEngine([createTable('counters', ['id', 'part'])], {
      throttle: false,
    })
    const db = wrap(client as never)
    await clock.run(async () => {
      const votes = counter(db, { ...options, sortKey: 'part', clock, initial: 4 })
      await votes.add(1, { token: 'a' })
      await votes.add(1, { token: 'a' })
      for (let times = 0; times < 10; times++) await votes.add(1)
      expect(await votes.value()).toBe(11)
      expect(await votes.rollUp({ shards: 2 })).toBe(11)
      expect((await votes.estimate(1)).value).toBe(11)
      expect(await votes.reset()).toBe(11)
      expect(await votes.value()).toBe(0)
    })
  })

  it('in a table with a sort key, beside other items', async () => {
    const engine = await patternEngine([createTable('app', ['pk', 'sk'])], { throttle: false })
    await engine.clock.run(async () => {
      const { client, clock } = engine
      const votes = counter(client, {
        table: 'app',
        partitionKey: 'pk',
        sortKey: 'sk',
        key: 'k',
        clock,
        initial: 3,
      })
      await client.send(
        new PutItemCommand({ TableName: 'app', Item: { pk: { S: 'k' }, sk: { S: 'profile' } } }),
      )
      await votes.add(2, { token: 'a' })
      await votes.add(2, { token: 'a' })
      expect(await votes.value()).toBe(2)
    })
  })
})

describe('what is wrong with a counter is said, and nothing is written', () => {
  it.each([
    [{ ...options, table: '' }, 'counter.table is ""; it must be the name of a table.'],
    [
      { ...options, partitionKey: undefined },
      'counter.partitionKey is undefined; it must be the name of an attribute.',
    ],
    [{ ...options, key: 7 }, 'counter.key is 7; it must be the name of the counter, as text.'],
    [{ ...options, key: 'a#isotherm#1' }, 'it must be text without #isotherm#'],
    [{ ...options, key: 'x'.repeat(1_025) }, 'text of at most 1024 bytes'],
    [{ ...options, key: 'a\ud800' }, 'it must be text without half surrogate pairs'],
    [{ ...options, timeout: 5n }, 'counter.timeout is 5n; it must be a duration'],
    [{ ...options, partitionKey: 'n' }, 'counter.partitionKey is "n"; it must be another name'],
    [{ ...options, sortKey: 'id' }, 'counter.sortKey is "id"; it must be another name'],
    [{ ...options, ttlAttribute: 'id' }, 'counter.ttlAttribute is "id"; it must be another name'],
    [{ ...options, max: 5_000 }, 'counter.max is 5000; it must be a whole number from 1 to 1000.'],
    [{ ...options, max: 4, initial: 5 }, 'counter.initial is 5; it must be a whole number from 1 to 4.'],
    [{ ...options, shards: 4 }, 'counter.shards is not an option of this version; known are table,'],
    [{ ...options, cooldown: 'soon' }, 'counter.cooldown is "soon"; it must be a duration'],
    [{ ...options, clock: 5 }, 'counter.clock is 5; it must be a Clock'],
    [undefined, 'counter is undefined; it must be an object of options'],
  ])('in its options: %o', async (given, message) => {
    const { client } = await engineWith()
    expect(() => counter(client, given as never)).toThrow(message)
    expect(() => counter(client, given as never)).toThrow(IsothermError)
    expect(() => counter({} as never, options)).toThrow(
      'counter: the client is {}; it must be a DynamoDBClient',
    )
  })

  it('in a call', async () => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const votes = counter(client, { ...options, clock })
      await expect(votes.add(1.5)).rejects.toThrow('counter.amount is 1.5; it must be a whole number from 0')
      await expect(votes.add(-1)).rejects.toThrow('counter.amount is -1')
      await expect(votes.add(2 ** 53)).rejects.toThrow('counter.amount is 9007199254740992')
      await expect(votes.add(1, { token: '' })).rejects.toThrow(
        'counter.add.token is ""; it must be text of 1 to 512',
      )
      await expect(votes.add(1, { token: 'a\ud800' })).rejects.toThrow('without half surrogate pairs')
      await expect(votes.add(1, { signal: {} } as never)).rejects.toThrow(
        'counter.add.signal is {}; it must be an AbortSignal.',
      )
      await expect(votes.add(1, { tokn: 'a' } as never)).rejects.toThrow('counter.add.tokn is not an option')
      await expect(votes.estimate(0)).rejects.toThrow(
        'counter.estimate is 0; it must be a whole number from 1 to 1000',
      )
      await expect(votes.rollUp({ shards: 0 })).rejects.toThrow('counter.rollUp.shards is 0')
      const { Items } = await client.send(new ScanCommand({ TableName: 'counters' }))
      expect(Items).toEqual([])
    })
  })

  it('in a sum that a number cannot hold', async () => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const votes = counter(client, { ...options, clock })
      await votes.add(Number.MAX_SAFE_INTEGER)
      await votes.add(1)
      await expect(votes.value()).rejects.toMatchObject({
        code: 'counter.too-large',
        details: { value: 9_007_199_254_740_992n },
      })
      await expect(votes.reset()).rejects.toMatchObject({ code: 'counter.too-large' })
      await votes.subtract(1)
      expect(await votes.value()).toBe(Number.MAX_SAFE_INTEGER)
    })
  })
})

/** Asks again after a lost answer. */
async function answered<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
    }
  }
}
