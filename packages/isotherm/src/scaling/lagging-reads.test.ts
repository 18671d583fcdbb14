import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { dynamicShards } from './shards.js'

const ITEMS = 20
const keyOf = (sort: number) => ({ pk: { S: 'k' }, sk: { N: String(sort) } })

describe('an eventually consistent read while a key loses shards', () => {
  it.each(['random', 'calculated'] as const)(
    'finds what was written long ago (suffix: %s)',
    async (suffix) => {
      const shards = dynamicShards({ quiet: false })
      const lags = { latencyMilliseconds: 10, readLagMilliseconds: 800 }
      const { client, clock, close } = await shardedEngine({ suffix, shards }, lags)
      const log = {
        partitionKey: 'pk',
        sortKey: 'sk',
        suffix,
        shards,
        cacheTtl: '2s',
        lateRequests: '1s',
      } as const
      const random = new SeededRandom(1)
      const db = isotherm<DynamoDBClient>(client, { tables: { log }, clock, random })
      await clock.run(async () => {
        const ofKey = db.shards('log', 'k')
        await ofKey.set(6)
        await ofKey.drain()
        for (let sort = 0; sort < ITEMS; sort++) {
          await db.send(new PutItemCommand({ TableName: 'log', Item: keyOf(sort) }))
        }
        await clock.sleep(60_000)
        let isOver = false
        const missed: number[] = []
        const reading = async () => {
          for (let read = 0; !isOver; read++) {
            const Key = keyOf(read % ITEMS)
            const { Item } = await db.send(new GetItemCommand({ TableName: 'log', Key }))
            if (Item === undefined) missed.push(clock.now())
          }
        }
        const readers = [reading(), reading(), reading()]
        await ofKey.set(2)
        await ofKey.drain()
        await clock.sleep(3_000)
        isOver = true
        await Promise.all(readers)
        expect(missed).toEqual([])
        expect(await ofKey.read()).toMatchObject({ readableShards: 2, phase: 'settled' })
      })
      await close()
    },
    30_000,
  )
})
