import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermEvent } from '../events/event.js'
import { dynamicShards } from './shards.js'

const LOG = { suffix: 'random', shards: dynamicShards({ quiet: false }) } as const
const GROWN_BACK = { shards: 5, lastUpdated: 3, history: ['1:5', '2:2', '3:5'] }
const query = new QueryCommand({
  TableName: 'log',
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: 'k' } },
})

function processOf({ client, clock }: ShardedEngine) {
  const events: IsothermEvent[] = []
  const db = isotherm<DynamoDBClient>(client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...LOG } },
    clock,
    random: new SeededRandom(1),
    onEvent: (event) => events.push(event),
  })
  return { db, events, shards: db.shards('log', 'k') }
}

describe('a random key that grew back before it was drained', () => {
  it('is gone through once by a process that uses it, and then read like any other', async () => {
    const engine = await shardedEngine(LOG)
    const { client, clock } = engine
    const { db, events, shards } = processOf(engine)
    const consistent: unknown[] = []
    client.middlewareStack.add(
      (next) => async (args) => {
        consistent.push((args.input as QueryCommandInput).ConsistentRead)
        return next(args)
      },
      { step: 'initialize' },
    )
    await engine.setState(GROWN_BACK)
    await clock.run(async () => {
      expect(await shards.read()).toMatchObject({ shards: 5, readableShards: 5, phase: 'retired' })
      for (let minute = 0; minute < 5; minute++) {
        await db.send(query)
        await clock.sleep(60_000)
      }
      expect(await shards.read()).toMatchObject({ shards: 5, phase: 'settled' })
      consistent.length = 0
      await db.send(query)
      expect(consistent).not.toContain(true)
    })
    expect(events.map((event) => [event.type, 'shards' in event && event.shards])).toEqual([
      // The drained shards are the third, the fourth, and the fifth.
      ['drained', 3],
      ['settled', 5],
    ])
    await engine.close()
  })

  it('is gone through by the process that let it grow', async () => {
    const engine = await shardedEngine(LOG)
    const { clock } = engine
    const { shards } = processOf(engine)
    await clock.run(async () => {
      await shards.set(5)
      await shards.set(2)
      expect(await shards.set(5)).toMatchObject({ phase: 'retired' })
      await clock.sleep(120_000)
      expect(await shards.read()).toMatchObject({ shards: 5, phase: 'settled' })
    })
    await engine.close()
  })
})
