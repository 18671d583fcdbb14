import { type DynamoDBClient, PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, inject, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import * as core from '../core.js'
import { isotherm as dropIn } from '../index.js'

const { appends, dynamicShards, isotherm, queries } = core

const LOG = {
  partitionKey: 'pk',
  sortKey: 'sk',
  cacheTtl: '2s',
  lateRequests: '1s',
  suffix: 'random',
} as const
const RUNS = inject('trials') === 'many' ? 3 : 1
/** About ten changes of the shard count, up and down. */
const RUN_MILLISECONDS = 60_000

const put = (sk: number) =>
  new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { N: String(sk) } } })

const engineOf = (seed: number) =>
  shardedEngine({ suffix: 'random', shards: dynamicShards() }, { seed, latencyMilliseconds: 40 })

/** The options of each process, except its parts. */
function optionsOf({ clock }: ShardedEngine, shards: core.DynamicShardsOptions, seed: number) {
  return {
    tables: { log: { ...LOG, shards: dynamicShards(shards) } },
    clock,
    random: new SeededRandom(seed),
  }
}

async function sortKeys(client: DynamoDBClient): Promise<readonly number[]> {
  const found: number[] = []
  const input = {
    TableName: 'log',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'k' } },
    ConsistentRead: true,
  }
  for await (const { Items = [] } of paginateQuery({ client, pageSize: 40 }, input)) {
    found.push(...Items.map(({ sk }) => Number(sk?.N)))
  }
  return found
}

describe('processes with a few parts, together with one that has all', () => {
  it.each(Array.from({ length: RUNS }, (_, run) => run + 1))(
    'lose nothing and read nothing twice while counts grow, shrink and drain (seed %i)',
    async (seed) => {
      const engine = await engineOf(seed)
      const { clock, client, random } = engine
      const process = (parts: readonly core.Part[], number: number) =>
        isotherm(client, { ...optionsOf(engine, { quiet: false }, 10 * seed + number), parts })
      const writers = [process([appends], 1), process([appends, queries], 2)]
      const readers = [process([queries], 3), process([appends, queries], 4)]
      const full = dropIn(client, optionsOf(engine, { quiet: false }, 10 * seed + 5))
      const shards = full.shards('log', 'k')
      const acknowledged: number[] = []
      const counts: number[] = []
      const late: unknown[] = []
      let next = 0
      await clock.run(async () => {
        const until = clock.now() + RUN_MILLISECONDS
        const write = async (db: DynamoDBClient) => {
          while (clock.now() < until) {
            const sk = next++
            await db.send(put(sk))
            acknowledged.push(sk)
            await clock.sleep(random.next() * 400)
          }
        }
        const read = async (db: DynamoDBClient) => {
          while (clock.now() < until) {
            const before = [...acknowledged]
            const found = await sortKeys(db)
            const missing = before.filter((sk) => !found.includes(sk))
            if (missing.length > 0 || new Set(found).size < found.length)
              late.push({ at: clock.now(), missing })
            await clock.sleep(random.next() * 4_000)
          }
        }
        const change = async () => {
          while (clock.now() < until) {
            const count = 1 + Math.floor(random.next() * 8)
            counts.push((await shards.set(count)).shards)
            await clock.sleep(random.next() * 12_000)
          }
        }
        await Promise.all([...writers.map(write), ...readers.map(read), change()])
        expect(await shards.drain()).toBe('settled')
        const { shards: count = 0 } = (await shards.read()) ?? {}
        const stored = await scanned(client, 'log')
        expect(Math.max(...stored.map(({ pk }) => Number(pk?.S?.split('_')[1])))).toBeLessThanOrEqual(count)
        for (const db of [...readers, full])
          expect(await sortKeys(db)).toEqual(acknowledged.toSorted((a, b) => a - b))
      })
      expect(late).toEqual([])
      // The test is meaningful: shards were added and retired.
      expect(counts.some((count, at) => count < (counts[at - 1] ?? count))).toBe(true)
      expect(counts.some((count, at) => count > (counts[at - 1] ?? count))).toBe(true)
      await engine.close()
    },
    60_000,
  )

  it.each(inject('trials') === 'many' ? [1, 2] : [1])(
    'keep the shard count that they use, when another process could consider it too high (seed %i)',
    async (seed) => {
      const engine = await engineOf(seed)
      const { clock, client, random } = engine
      const quiet = { quiet: '1m', shrink: 'always', partitionUnitsPerSecond: 5 } as const
      const writers = Array.from({ length: 5 }, (_, number) =>
        isotherm(client, { ...optionsOf(engine, quiet, 100 * seed + number), parts: [appends] }),
      )
      const full = dropIn(client, optionsOf(engine, quiet, 100 * seed + 50))
      const shards = full.shards('log', 'k')
      await clock.run(async () => {
        await shards.set(8)
        // Together 10 units per second, twice the rate at which 8 shards of 5 units would be quiet.
        for (let sk = 0; sk < 2_000; sk++) {
          await writers[Math.floor(random.next() * writers.length)]?.send(put(sk % 50))
          if (sk % 100 === 0) await sortKeys(full)
          await clock.sleep(60)
        }
        expect(await shards.read()).toMatchObject({ shards: 8 })
        // Now there are no writes, and the process that can retire shards does so.
        for (let look = 0; look < 60; look++) {
          await sortKeys(full)
          await clock.sleep(5_000)
        }
        expect(await shards.read()).toMatchObject({ shards: 1, readableShards: 1 })
      })
      await engine.close()
    },
    60_000,
  )

  it('leave the shard counts unchanged when none of them can retire shards', async () => {
    const engine = await engineOf(1)
    const { clock, client } = engine
    const quiet = { quiet: '1m', shrink: 'always' } as const
    const full = dropIn(client, optionsOf(engine, quiet, 1))
    const db = isotherm(client, { ...optionsOf(engine, quiet, 2), parts: [appends, queries] })
    await clock.run(async () => {
      await full.shards('log', 'k').set(4)
      for (let sk = 0; sk < 40; sk++) {
        await db.send(put(sk))
        await clock.sleep(10_000)
      }
      expect(await full.shards('log', 'k').read()).toMatchObject({ shards: 4 })
      expect(await sortKeys(db)).toHaveLength(40)
    })
    await engine.close()
  })
})
