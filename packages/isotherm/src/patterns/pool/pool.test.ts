import {
  CreateTableCommand,
  DescribeTableCommand,
  GetItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import * as core from '../../core.js'
import { fixedShards, IsothermError, isotherm } from '../../index.js'
import { type Claim, type Pool, type PoolOptions, pool, poolTable } from './index.js'

const options = { table: 'vouchers', partitionKey: 'code' }
const table = new CreateTableCommand(poolTable(options))
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `code-${index}`)

async function engineWith(lostReplies = 0, given: Partial<PoolOptions> = {}) {
  const engine = await patternEngine([table], { throttle: false })
  const { clock } = engine
  const open = (seed: number) =>
    pool(engine.network(seed, lostReplies), { ...options, clock, random: new SeededRandom(seed), ...given })
  return { ...engine, open }
}

describe('a pool', () => {
  it('gives each item to one claimer, however many claim, while answers are lost', async () => {
    const { clock, open, client } = await engineWith(0.05)
    await clock.run(async () => {
      await open(1).add(numbered(240))
      const claimed: Claim[] = []
      const claimer = async (seed: number) => {
        const vouchers = open(seed)
        const count = (seed % 3) * 5 + 1
        for (;;) {
          const claims = await vouchers.claim(count)
          expect(claims.length).toBeLessThanOrEqual(count)
          if (claims.length === 0) return
          claimed.push(...claims)
          for (const claim of claims) await vouchers.use(claim)
        }
      }
      await Promise.all(Array.from({ length: 32 }, (_, index) => claimer(100 + index)))
      expect(claimed.map(({ id }) => id).sort()).toEqual(numbered(240).sort())
      expect(await open(2).size()).toBe(0)
    })
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'vouchers' }))
    expect(Table).toMatchObject({ ItemCount: 240, GlobalSecondaryIndexes: [{ ItemCount: 0 }] })
  })

  it('gives an item back to others with its attributes, once', async () => {
    const { clock, open } = await engineWith()
    await clock.run(async () => {
      const vouchers = open(1)
      const attributes = { euros: 20, tags: new Set(['a']), note: { by: null } }
      await vouchers.add([{ id: 'A', attributes }])
      const [first] = await vouchers.claim()
      expect(first).toEqual({ id: 'A', claim: expect.any(String), attributes })
      expect(await vouchers.claim()).toEqual([])
      await vouchers.release(first as Claim)
      expect(await vouchers.size()).toBe(1)
      const [second] = await open(2).claim(5)
      expect(second).toMatchObject({ id: 'A', attributes })
      expect(second?.claim).not.toBe(first?.claim)
      await expect(vouchers.use(first as Claim)).rejects.toMatchObject({ code: 'pool.not-claimed' })
      // It was released by this claim, as asked.
      await vouchers.release(first as Claim)
      await vouchers.use(second as Claim)
      await vouchers.use(second as Claim)
      await expect(vouchers.release(second as Claim)).rejects.toMatchObject({
        code: 'pool.not-claimed',
        details: { table: 'vouchers', id: 'A', claim: second?.claim },
      })
      expect(await vouchers.size()).toBe(0)
    })
  })

  it('leaves items alone that exist, unless it adds by batches', async () => {
    const { clock, open } = await engineWith(0.05)
    await clock.run(async () => {
      const vouchers = open(1)
      expect(await vouchers.add(numbered(30))).toEqual({ added: 30, existing: [] })
      const claims = await vouchers.claim(10)
      const again = await vouchers.add(numbered(40))
      expect(again.added).toBe(10)
      expect([...again.existing].sort()).toEqual(numbered(30).sort())
      for (const claim of claims) await vouchers.use(claim)
      expect(await vouchers.size()).toBe(30)
    })
  })

  it('keeps pools of one table apart', async () => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const [summer, winter] = ['summer', 'winter'].map((name) =>
        pool(client, { ...options, name, clock, shards: 2 }),
      )
      await summer?.add(['s1', 's2'])
      await winter?.add(['w1'])
      expect((await summer?.claim(10))?.map(({ id }) => id).sort()).toEqual(['s1', 's2'])
      expect(await winter?.size()).toBe(1)
    })
  })

  it('carries a transaction with a claim out once, however often it is sent', async () => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const vouchers = pool(client, { ...options, clock })
      await vouchers.add(['A'])
      const [claim] = (await vouchers.claim()) as [Claim]
      const Key = { code: { S: 'account' } }
      const credit = {
        TableName: 'vouchers',
        Key,
        UpdateExpression: 'ADD euros :euros',
        ExpressionAttributeValues: { ':euros': { N: '20' } },
      }
      const redeem = () =>
        client.send(
          new TransactWriteItemsCommand({ TransactItems: [vouchers.useAction(claim), { Update: credit }] }),
        )
      await redeem()
      await expect(redeem()).rejects.toMatchObject({
        CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }],
      })
      // It was used by this claim, as asked.
      await vouchers.use(claim)
      const { Item } = await client.send(new GetItemCommand({ TableName: 'vouchers', Key }))
      expect(Item?.euros).toEqual({ N: '20' })
    })
  })

  it.each([
    ['claimed', async () => {}],
    ['used', (vouchers: Pool, claim: Claim) => vouchers.use(claim)],
    ['claimed and released', (vouchers: Pool, claim: Claim) => vouchers.release(claim)],
  ])(
    'reports an item as added whose answer was lost, and which was %s before the retry',
    async (_how, end) => {
      const { clock, client, open, network } = await engineWith()
      await clock.run(async () => {
        const other = open(1)
        const far = network(2, 0)
        let isLost = false
        far.middlewareStack.add(
          (next, { commandName }) =>
            async (args) => {
              const output = await next(args)
              if (commandName !== 'PutItemCommand' || isLost) return output
              isLost = true
              const [claim] = (await other.claim()) as [Claim]
              await end(other, claim)
              throw Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })
            },
          { step: 'finalizeRequest', priority: 'low' },
        )
        const vouchers = pool(far, { ...options, clock, random: new SeededRandom(2) })
        expect(await vouchers.add(['A'])).toEqual({ added: 1, existing: [] })
        expect(isLost).toBe(true)
        expect(await pool(client, { ...options, clock }).add(['A'])).toEqual({ added: 0, existing: ['A'] })
      })
    },
  )

  it('marks an item as used in a transaction of the caller', async () => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      await open(1).add(['A', 'B'])
      const order = { Put: { TableName: 'vouchers', Item: { code: { S: 'order' } } } }
      const vouchers = pool(client, { ...options, clock })
      const [first, second] = await vouchers.claim(2)
      const use = vouchers.useAction(first as Claim)
      await client.send(new TransactWriteItemsCommand({ TransactItems: [use, order] }))
      const document = DynamoDBDocumentClient.from(client)
      const other = pool(document, { ...options, clock }).useAction(second as Claim)
      await document.send(new TransactWriteCommand({ TransactItems: [other as never] }))
      for (const { id } of [first, second] as Claim[]) {
        const { Item } = await client.send(
          new GetItemCommand({ TableName: 'vouchers', Key: { code: { S: id } } }),
        )
        expect(Item?.used_at).toBeDefined()
      }
    })
  })
})

describe('a pool stands', () => {
  const sharded = {
    partitionKey: 'code',
    sortKey: 'part',
    suffix: 'calculated' as const,
    shards: fixedShards(3),
  }

  it.each([
    ['on a document client', (client: never) => DynamoDBDocumentClient.from(client)],
    ['in a sharded table', (client: never) => isotherm(client, { tables: { vouchers: sharded } })],
    [
      'on a client of parts',
      (client: never) =>
        core.isotherm(client, {
          parts: [core.items, core.batches, core.indexes, core.queries],
          tables: { vouchers: { ...sharded, suffix: core.calculated() } },
        }),
    ],
  ])('%s', async (_where, wrap) => {
    const shape = { ...options, sortKey: 'part' }
    const { clock, client } = await patternEngine([new CreateTableCommand(poolTable(shape))], {
      throttle: false,
    })
    await clock.run(async () => {
      const vouchers = pool(wrap(client as never), { ...shape, clock, shards: 3 })
      await vouchers.add(numbered(5))
      await vouchers.add(['x', 'y'], { batches: true })
      const claims = await vouchers.claim(6)
      expect(new Set(claims.map(({ id }) => id)).size).toBe(6)
      await vouchers.release(claims[0] as Claim)
      await vouchers.use(claims[1] as Claim)
      expect(await vouchers.size()).toBe(2)
    })
  })
})

describe('what is wrong with a pool is said, and nothing is written', () => {
  it.each([
    [{ ...options, shards: 0 }, 'pool.shards is 0; it must be a whole number from 1 to 200.'],
    [{ ...options, index: 5 }, 'pool.index is 5; it must be the name of an index.'],
    [{ ...options, size: 5 }, 'pool.size is not an option of this version; known are table,'],
    [{ table: 'vouchers' }, 'pool.partitionKey is undefined'],
    [{ ...options, indexKey: 'code' }, 'pool.indexKey is "code"; it must be another name'],
    [{ ...options, place: 'unused' }, 'pool.place is "unused"; it must be another name'],
    [{ ...options, place: 'claimed_at' }, 'pool.place is "claimed_at"; it must be another name'],
    [{ ...options, sortKey: 'code' }, 'pool.sortKey is "code"; it must be another name'],
    [{ ...options, partitionKey: 'claim' }, 'pool.partitionKey is "claim"; it must be another name'],
  ])('in its options: %o', async (given, message) => {
    const { client } = await engineWith()
    expect(() => pool(client, given as never)).toThrow(message)
    expect(() => poolTable(given as never)).toThrow(IsothermError)
  })

  it.each([
    ['text', 'a list of ids, or of { id, attributes }'],
    [['a', 'a'], 'pool.add: the id is "a"; it must be given once.'],
    [['a', ''], 'pool.add: the id is ""; it must be text.'],
    [['a', 'b\ud800'], 'it must be text without half surrogate pairs'],
    [['a', 'x'.repeat(2_049)], 'it must be text of at most 2048 bytes'],
    [
      ['a', { id: 'b', attribute: { at: 1 } }],
      'pool.add: b.attribute is not an option of this version; known are',
    ],
    [['a', { id: 'b', attributes: { '': 1 } }], 'pool.add: b is an object with a name of 0 bytes'],
    [['a', { id: 'b', attributes: { big: 'x'.repeat(410_000) } }], 'bytes"; it must be at most 409344 bytes'],
    [['a', { id: 'b', attributes: { at: new Date(0) } }], 'pool.add: b.at is a Date; it must be'],
    [['a', { id: 'b', attributes: { place: 1 } }], 'pool.add: b.place is 1; it must be left out'],
    [['a', { id: 'b', attributes: { code: 'c' } }], 'pool.add: b.code is "c"; it must be left out'],
  ])('in members: %o', async (members, message) => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const vouchers = pool(client, { ...options, clock })
      await expect(vouchers.add(members as never)).rejects.toThrow(message)
      await expect(vouchers.claim(0)).rejects.toThrow(
        'pool.claim is 0; it must be a whole number from 1 to 1000.',
      )
      await expect(vouchers.use({ id: 'a' } as never)).rejects.toThrow('it must be what claim() returned')
      expect((await client.send(new ScanCommand({ TableName: 'vouchers' }))).Count).toBe(0)
    })
  })
})
