import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { fixedShards, IsothermError, isotherm } from '../../index.js'
import { generationThatOpens } from './closed-shard.js'
import { headOf } from './counter-items.js'
import { type Counter, type CounterOptions, type CountOptions, counter } from './index.js'

const options = { table: 'counters', partitionKey: 'id', key: 'Campaign#101' }
const ofHead = { TableName: 'counters', Key: { id: { S: 'Campaign#101' } } }

const COUNTS = 100

/** Requests besides the counts: some of them meet a closed shard, after which the head is read and changed. */
const MOST_IN_EXCESS = 30

async function addMany(votes: Counter, count: number, more: (index: number) => CountOptions = () => ({})) {
  for (let added = 0; added < count; added++) await votes.add(1, more(added))
}

async function engineWith() {
  const engine = await patternEngine([createTable('counters', ['id'])], { throttle: false })
  const { clock, client } = engine
  const openWith = (db: DynamoDBClient, seed: number, given: Partial<CounterOptions> = {}) =>
    counter(db, { ...options, clock, random: new SeededRandom(seed), ...given })
  // A client knows the shards of its counters.
  const open = (seed: number, given: Partial<CounterOptions> = {}) =>
    openWith(engine.network(seed, 0), seed, given)
  const deleteHead = () => client.send(new DeleteItemCommand(ofHead))
  const readHead = async () => headOf((await client.send(new GetItemCommand(ofHead))).Item)
  return { ...engine, open, openWith, deleteHead, readHead }
}

/** Counts the commands of a client. */
function counting(client: DynamoDBClient) {
  const sent = { all: 0, headReads: 0, headWrites: 0 }
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        sent.all += 1
        if ('Key' in args.input && JSON.stringify(args.input.Key) === JSON.stringify(ofHead.Key))
          sent[commandName === 'GetItemCommand' ? 'headReads' : 'headWrites'] += 1
        return next(args)
      },
    { step: 'initialize' },
  )
  return sent
}

describe('shards that were closed before the head alone was deleted', () => {
  it.each([
    ['without tokens', () => ({})],
    ['with tokens', (index: number) => ({ token: `token${index}` })],
  ])('take the counts of a process that begins with as many shards, %s', async (_how, more) => {
    const { clock, network, open, openWith, deleteHead } = await engineWith()
    await clock.run(async () => {
      await open(1, { initial: 40 }).add(1)
      for (const shards of [30, 20, 10, 1]) await open(2).rollUp({ shards })
      await deleteHead()
      const client = network(3, 0)
      const sent = counting(client)
      const fresh = openWith(client, 3, { initial: 40 })
      await addMany(fresh, COUNTS, more)
      expect(sent.all).toBeLessThan(COUNTS + MOST_IN_EXCESS)
      expect(await open(4).value()).toBe(COUNTS)
      await addMany(open(5), COUNTS)
      expect(await fresh.value()).toBe(2 * COUNTS)
    })
  })

  it('take those of a process that restores an older number of shards', async () => {
    const { clock, open, deleteHead } = await engineWith()
    await clock.run(async () => {
      const old = open(1, { initial: 40 })
      await old.add(1)
      await open(2).rollUp({ shards: 1 })
      await deleteHead()
      const fresh = open(3, { initial: 1 })
      await addMany(fresh, COUNTS)
      await fresh.rollUp()
      await open(4, { initial: 2 }).add(1)
      for (let round = 0; round < 3; round++) {
        await clock.sleep(600_000)
        await addMany(old, COUNTS)
        await addMany(fresh, COUNTS)
      }
      expect(await open(5).value()).toBe(1 + 7 * COUNTS)
    })
  })

  it('take those that a growth brings', async () => {
    const { clock, network, open, openWith, deleteHead, readHead } = await engineWith()
    await clock.run(async () => {
      await open(1, { initial: 40 }).add(1)
      for (const shards of [30, 20, 10, 1]) await open(2).rollUp({ shards })
      await deleteHead()
      const client = network(3, 0)
      let isThrottled = false
      client.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            if (!isThrottled || commandName !== 'UpdateItemCommand') return next(args)
            isThrottled = false
            throw new ThrottlingException({ message: 'throttled', $metadata: {} })
          },
        { step: 'finalizeRequest', priority: 'low' },
      )
      const sent = counting(client)
      const votes = openWith(client, 3)
      await votes.add(1)
      await clock.sleep(5_000)
      isThrottled = true
      await votes.add(1)
      sent.all = 0
      await addMany(votes, COUNTS)
      expect((await readHead()).shards).toBeGreaterThan(1)
      expect(sent.all).toBeLessThan(COUNTS + MOST_IN_EXCESS)
      expect(await votes.value()).toBe(2 + COUNTS)
    })
  })

  it('take those of a client that shards their table', async () => {
    const engine = await patternEngine([createTable('counters', ['id', 'part'])], { throttle: false })
    const { clock } = engine
    await clock.run(async () => {
      const shards = fixedShards(3)
      const counters = { partitionKey: 'id', sortKey: 'part', suffix: 'calculated', shards } as const
      const open = () => {
        const db = isotherm(engine.network(1, 0), { tables: { counters } })
        return { db, votes: counter(db, { ...options, sortKey: 'part', initial: 8, clock }) }
      }
      await open().votes.add(1)
      await open().votes.rollUp({ shards: 1 })
      const key = { id: { S: 'Campaign#101' }, part: { S: 'isotherm:counter' } }
      const { db, votes } = open()
      await db.send(new DeleteItemCommand({ TableName: 'counters', Key: key }))
      const reads: string[] = []
      db.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            if (commandName === 'GetItemCommand') reads.push(Object(args.input).Key.id.S)
            return next(args)
          },
        { step: 'initialize' },
      )
      await addMany(votes, COUNTS)
      expect(reads.length).toBeGreaterThan(1)
      // A refusal has the closed shard, which is not read.
      expect(reads.filter((id) => id.includes('#isotherm#'))).toEqual([])
      expect(await votes.value()).toBe(COUNTS)
    })
  })

  it('are opened once for all counts that a process makes at the same time', async () => {
    const { clock, network, open, openWith, deleteHead } = await engineWith()
    await clock.run(async () => {
      const client = network(1, 0)
      const old = openWith(client, 1, { initial: 40 })
      await old.add(1)
      await open(2).rollUp({ shards: 1 })
      await deleteHead()
      await open(3, { initial: 4 }).add(1)
      const sent = counting(client)
      await Promise.all(Array.from({ length: 500 }, () => old.add(1)))
      expect(sent.headWrites).toBeLessThanOrEqual(4)
      expect(sent.headReads).toBeLessThanOrEqual(15)
      expect(await open(4).value()).toBe(501)
    })
  })
})

it('a count that meets closed shards only is refused in words', async () => {
  const { clock, network, openWith } = await engineWith()
  await clock.run(async () => {
    const client = network(1, 0)
    client.middlewareStack.add(
      (next) => (args) => {
        if (!JSON.stringify(args.input).includes('ADD n')) return next(args)
        throw Object.assign(new Error('The conditional request failed'), {
          name: 'ConditionalCheckFailedException',
          Item: { closed: { N: '-1' } },
        })
      },
      { step: 'initialize' },
    )
    const refusal = await openWith(client, 1)
      .add(1)
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(IsothermError)
    expect(refusal).toMatchObject({
      code: 'counter.busy',
      details: { table: 'counters', key: 'Campaign#101', readings: 21 },
      message: expect.stringContaining('Each of 21 attempts to count in the counter Campaign#101'),
      cause: { name: 'ConditionalCheckFailedException' },
    })
  })
})

describe('the generation that opens shards', () => {
  const head = { ...headOf(undefined), shards: 8, highest: 40, generation: 3 }
  it.each([
    ['none was refused', [], undefined],
    ['the process knew an older generation', [{ shard: 8, closed: 2 }], undefined],
    ['the shard is out of use', [{ shard: 9, closed: 3 }], undefined],
    ['an earlier head closed it', [{ shard: 8, closed: 3 }], 4],
    [
      'earlier heads closed several',
      [
        { shard: 2, closed: 5 },
        { shard: 9, closed: 12 },
        { shard: 1, closed: 7 },
        { shard: 3, closed: 6 },
      ],
      8,
    ],
  ])('where %s', (_what, refused, generation) => {
    expect(generationThatOpens(head, refused)).toBe(generation)
  })
})

describe('counts that meet closed shards', () => {
  it('are not held up by a reading of the head that never ends', async () => {
    const { clock, network, openWith, open } = await engineWith()
    await clock.run(async () => {
      const db = network(1, 0)
      let hanging = 0
      db.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            if (hanging === 0 || commandName !== 'GetItemCommand') return next(args)
            hanging -= 1
            return new Promise(() => {})
          },
        { step: 'initialize' },
      )
      const votes = openWith(db, 1, { initial: 40, cacheTtl: '10m' })
      await addMany(votes, 5)
      await open(2).rollUp({ shards: 1 })
      hanging = 1
      const from = clock.now()
      await Promise.all(Array.from({ length: 20 }, () => votes.add(1)))
      expect(hanging).toBe(0)
      expect(clock.now() - from).toBeLessThan(30_000)
      expect(await open(3).value()).toBe(25)
    })
  })

  it.each([
    ['goes on in the open shards while the head is throttled', 'ProvisionedThroughputExceededException', 40],
    ['says that it may not change the head', 'AccessDeniedException', 0],
  ])('with half of them open, a counter %s', async (_what, name, least) => {
    const { clock, network, openWith, open, deleteHead } = await engineWith()
    await clock.run(async () => {
      await addMany(open(1, { initial: 40 }), 5)
      await open(2).rollUp({ shards: 20 })
      await deleteHead()
      const db = network(3, 0)
      let isRefused = false
      db.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            const isOfHead =
              'Key' in args.input && JSON.stringify(args.input.Key) === JSON.stringify(ofHead.Key)
            if (!isRefused || !isOfHead || commandName !== 'UpdateItemCommand') return next(args)
            throw Object.assign(new Error('refused'), { name, $metadata: { httpStatusCode: 400 } })
          },
        { step: 'initialize' },
      )
      const votes = openWith(db, 3, { initial: 40, cacheTtl: '10m' })
      await votes.add(0)
      isRefused = true
      const errors: unknown[] = []
      for (let count = 0; count < 40; count++)
        await votes.add(1).catch((error: unknown) => errors.push(error))
      expect(40 - errors.length).toBeGreaterThanOrEqual(least)
      for (const error of errors) expect(error).toMatchObject({ name })
      expect(errors.length > 0).toBe(least === 0)
    })
  })
})
