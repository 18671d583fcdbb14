import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { dynamicShards } from './shards.js'

const SHARDS = dynamicShards({ quiet: false })
const RANDOM = { suffix: 'random', shards: SHARDS, cacheTtl: '2s', lateRequests: '1s' } as const

function processOf({ client, clock }: ShardedEngine, suffix: 'random' | 'calculated' = 'random') {
  return isotherm<DynamoDBClient>(client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...RANDOM, suffix } },
    clock,
    random: new SeededRandom(1),
  })
}

describe('a change that is taken over', () => {
  it.each(['random', 'calculated'] as const)(
    'is brought to its end by the process that was at it already (suffix: %s)',
    async (suffix) => {
      const engine = await shardedEngine({ ...RANDOM, suffix })
      const { clock } = engine
      const shards = processOf(engine, suffix).shards('log', 'k')
      await clock.run(async () => {
        await shards.set(5)
        await shards.drain()
        await shards.set(2)
        await clock.sleep(1_000)
        await shards.resume()
        await clock.sleep(60_000)
        expect(await shards.read()).toMatchObject({ shards: 2, readableShards: 2, phase: 'settled' })
      })
      await engine.close()
    },
  )

  it('is told to the caller who waited for it, and left alone there', async () => {
    const engine = await shardedEngine(RANDOM)
    const { clock } = engine
    const shards = processOf(engine).shards('log', 'k')
    await clock.run(async () => {
      await shards.set(5)
      await shards.set(2)
      const first = shards.drain()
      await clock.sleep(1_000)
      const second = shards.drain()
      await clock.sleep(1_000)
      expect(await first).toBe('overtaken')
      const third = shards.resume()
      expect(await second).toBe('overtaken')
      expect(await third).toMatchObject({ phase: 'retired' })
      await clock.sleep(60_000)
      expect(await shards.read()).toMatchObject({ phase: 'settled' })
    })
    await engine.close()
  })

  it('is driven also where the process is at as many already as it takes by itself', async () => {
    const engine = await shardedEngine(RANDOM)
    const { clock } = engine
    const left = processOf(engine)
    const db = processOf(engine)
    await clock.run(async () => {
      await left.shards('log', 'k').set(5)
      await left.shards('log', 'k').set(2)
      left.destroy()
      for (let other = 0; other < 16; other++) {
        await db.shards('log', `other ${other}`).set(5)
        await db.shards('log', `other ${other}`).set(2)
      }
      await db.shards('log', 'k').resume()
      await clock.sleep(60_000)
      expect(await db.shards('log', 'k').read()).toMatchObject({ phase: 'settled' })
    })
    await engine.close()
  })
})
