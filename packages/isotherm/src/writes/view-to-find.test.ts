import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { firstState } from '../protocol/states/shard-state.js'
import { dynamicShards } from '../scaling/shards.js'

const ITEMS = 20
const keyOf = (sort: number) => ({ pk: { S: 'k' }, sk: { N: String(sort) } })
const sorts = Array.from({ length: ITEMS }, (_, sort) => sort)

/** A process with one shard in its cache, after another process has written to eight. */
async function afterGrowth(work: (db: ReturnType<Engine['process']>, engine: Engine) => Promise<void>) {
  const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards({ quiet: false }) })
  await engine.clock.run(async () => {
    const late = engine.process()
    await late.send(new PutItemCommand({ TableName: 'log', Item: keyOf(-1) }))
    await late.send(new DeleteItemCommand({ TableName: 'log', Key: keyOf(-1) }))
    await engine.setState({ ...firstState(8, 1), lastUpdated: Math.floor(engine.clock.now() / 1_000) + 1 })
    const writer = engine.process()
    for (const sort of sorts) await writer.send(new PutItemCommand({ TableName: 'log', Item: keyOf(sort) }))
    await work(late, engine)
  })
  await engine.close()
}

type Engine = Awaited<ReturnType<typeof shardedEngine>>

describe('a write that must find its item of a random key, to which another process has just added shards', () => {
  it('deletes it', async () => {
    await afterGrowth(async (db, { client }) => {
      for (const sort of sorts) await db.send(new DeleteItemCommand({ TableName: 'log', Key: keyOf(sort) }))
      expect(await scanned(client, 'log')).toEqual([])
    })
  })

  it('deletes it in a batch', async () => {
    await afterGrowth(async (db, { client }) => {
      const log = sorts.map((sort) => ({ DeleteRequest: { Key: keyOf(sort) } }))
      await db.send(new BatchWriteItemCommand({ RequestItems: { log } }))
      expect(await scanned(client, 'log')).toEqual([])
    })
  })

  it('updates it, and creates no second one', async () => {
    await afterGrowth(async (db, { client }) => {
      for (const sort of sorts) {
        const update = {
          UpdateExpression: 'SET seen = :yes',
          ExpressionAttributeValues: { ':yes': { S: 'y' } },
        }
        await db.send(new UpdateItemCommand({ TableName: 'log', Key: keyOf(sort), ...update }))
      }
      const stored = await scanned(client, 'log')
      expect(stored.map(({ seen }) => seen?.S)).toEqual(sorts.map(() => 'y'))
    })
  })

  it('finds that it exists when it requires a missing item', async () => {
    await afterGrowth(async (db) => {
      for (const sort of sorts) {
        const put = { Item: keyOf(sort), ConditionExpression: 'attribute_not_exists(pk)' }
        await expect(db.send(new PutItemCommand({ TableName: 'log', ...put }))).rejects.toMatchObject({
          name: 'ConditionalCheckFailedException',
        })
      }
    })
  })
})
