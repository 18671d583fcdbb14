import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

const MEMBERS = 100
/** Two phases of `cacheTtl` and `lateRequests`, and the lifetime of a cached view. */
const MOST_SECONDS = 2 * (10 + 5) + 10

const creation = (sort: number): TransactWriteItem => ({
  Put: {
    TableName: 'log',
    Item: { pk: { S: 'k' }, sk: { N: String(sort) } },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
})
const creations = (from: number) =>
  new TransactWriteItemsCommand({
    TransactItems: Array.from({ length: MEMBERS }, (_, index) => creation(from + index)),
  })

const calculated = { suffix: 'calculated', shards: dynamicShards({ initial: 1 }) } as const

describe('a transaction of 100 creations while the count of its key changes', () => {
  it.each([
    [1, 32],
    [32, 1],
  ])(
    'fits at any time, after seconds, from %i to %i shards',
    async (from, to) => {
      const { clock, client, process, close } = await shardedEngine({
        suffix: 'calculated',
        shards: dynamicShards({ initial: from }),
      })
      await clock.run(async () => {
        const changing = process()
        const db = process()
        await changing.shards('log', 'k').set(to)
        const began = clock.now()
        let sent = 0
        let longest = 0
        while (clock.now() - began < 60_000) {
          const at = clock.now()
          const { $metadata } = await db.send(creations(sent * MEMBERS))
          sent += 1
          longest = Math.max(longest, clock.now() - at)
          expect(clock.now() - at - ($metadata.totalRetryDelay ?? 0)).toBeLessThan(100)
          await clock.sleep(4_000)
        }
        expect(longest).toBeGreaterThan(0)
        expect(longest / 1_000).toBeLessThanOrEqual(MOST_SECONDS)
        expect((await changing.shards('log', 'k').read())?.phase).toBe('settled')
        const sorts = (await scanned(client, 'log')).map(({ sk }) => Number(sk?.N))
        expect(new Set(sorts).size).toBe(sent * MEMBERS)
        expect(sorts).toHaveLength(sent * MEMBERS)
      })
      await close()
    },
    60_000,
  )

  it('is carried out by one of two processes that create the same items', async () => {
    const { clock, client, process, close } = await shardedEngine(calculated, { latencyMilliseconds: 50 })
    await clock.run(async () => {
      const changing = process()
      const [one, other] = [process(), process()]
      await changing.shards('log', 'k').set(32)
      for (let round = 0; round < 4; round++) {
        const command = () => creations(round * MEMBERS)
        const results = await Promise.allSettled([one.send(command()), other.send(command())])
        expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
        for (const result of results) {
          if (result.status === 'rejected')
            expect(result.reason).toMatchObject({ name: 'TransactionCanceledException' })
        }
        await clock.sleep(7_000)
      }
      expect(await scanned(client, 'log')).toHaveLength(4 * MEMBERS)
    })
    await close()
  }, 60_000)

  it('fails after a bounded time when nobody completes the change, and ends when it is aborted', async () => {
    const { clock, client, process, setState, close } = await shardedEngine(calculated)
    await clock.run(async () => {
      const db = process()
      const now = Math.floor(clock.now() / 1_000)
      await setState({
        shards: 1,
        lastUpdated: now,
        history: [`${now - 100}:1`, `${now}:32`],
        phase: 'announced',
        from: 1,
        to: 32,
      })
      const at = clock.now()
      await expect(db.send(creations(0))).rejects.toMatchObject({
        code: 'transaction.too-large',
        message: expect.stringMatching(/It has waited 40 s for their end\. Send it again, or split it\./),
        details: { members: MEMBERS, maxActions: 100, waitedMilliseconds: 40_000 },
      })
      expect((clock.now() - at) / 1_000).toBe(MOST_SECONDS)
      const abort = new AbortController()
      const aborted = db.send(creations(0), { abortSignal: abort.signal })
      clock.sleep(2_500).then(() => abort.abort())
      const again = clock.now()
      await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
      expect(clock.now() - again).toBe(2_500)
      expect(await scanned(client, 'log')).toEqual([])
      // Fewer creations fit all the time.
      const few = Array.from({ length: 50 }, (_, index) => creation(index))
      await db.send(new TransactWriteItemsCommand({ TransactItems: few }))
      expect(await scanned(client, 'log')).toHaveLength(50)
    })
    await close()
  }, 60_000)
})
