import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandInput,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { hotPartitionError } from '../../test/throttling.js'
import { keyOf, TwinTables } from '../../test/twin-tables.js'
import { atRest } from '../protocol/states/shard-state.js'
import { dynamicShards } from '../scaling/shards.js'

const state = atRest({ shards: 3, lastUpdated: 1, history: ['1:3'] })
const put = (id: number) => ({ PutRequest: { Item: keyOf(id) } })
const deletion = (id: number) => ({ DeleteRequest: { Key: keyOf(id) } })

/** Twins whose requests of this operation are held up until their view has expired, except the first ones. */
function holdingUp(held: string, first: number): TwinTables {
  const twins = new TwinTables(
    { name: 'random', suffix: 'random', shards: 3, state },
    { cacheTtl: '1s', lateRequests: '1s' },
  )
  let requests = 0
  twins.beforeRequest = async (operation) => {
    if (operation === held && ++requests > first) await twins.clock.sleep(5_000)
  }
  return twins
}

describe('a batch of writes whose shard map is too slow', () => {
  it('returns the members that were not written, once others may have been', async () => {
    const twins = holdingUp('BatchWriteItem', 1)
    let requests = 0
    twins.answerInstead = (operation, input) => {
      if (operation !== 'BatchWriteItem' || ++requests > 1) return undefined
      const { RequestItems } = input as BatchWriteItemCommandInput
      return { UnprocessedItems: { sharded: RequestItems?.sharded?.slice(1) }, $metadata: {} }
    }
    await twins.run(async () => {
      const members = [put(1), put(2), put(3)]
      const output = await twins.db.send(new BatchWriteItemCommand({ RequestItems: { sharded: members } }))
      expect(output.UnprocessedItems).toEqual({ sharded: members.slice(1) })
    })
  })

  it('returns the members that are written by themselves, too', async () => {
    const twins = holdingUp('BatchGetItem', 0)
    await twins.run(async () => {
      const members = [put(1), deletion(2)]
      const output = await twins.db.send(new BatchWriteItemCommand({ RequestItems: { sharded: members } }))
      expect(output.UnprocessedItems).toEqual({ sharded: [deletion(2)] })
      expect((await twins.contents()).sharded).toHaveLength(1)
    })
  })

  it('is rejected when nothing was written', async () => {
    const twins = holdingUp('BatchWriteItem', 0)
    await twins.run(async () => {
      const batch = new BatchWriteItemCommand({ RequestItems: { sharded: [put(1), put(2)] } })
      await expect(twins.db.send(batch)).rejects.toMatchObject({ code: 'shard-map.slow' })
      expect((await twins.contents()).sharded).toEqual([])
    })
  })
})

describe('a batch of writes whose shard map does not answer', () => {
  it('returns the members that were not written, once others were', async () => {
    const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards(), retryDeadline: '2s' })
    await engine.clock.run(async () => {
      const db = engine.process()
      const key = (pk: string, sk: number) => ({ pk: { S: pk }, sk: { N: String(sk) } })
      await db.send(new PutItemCommand({ TableName: 'log', Item: key('a', 1) }))
      engine.client.middlewareStack.add(
        (next) => (args) => {
          if ((args.input as { TableName?: string }).TableName === 'log_shard_map') throw hotPartitionError()
          return next(args)
        },
        { step: 'initialize', name: 'throttled' },
      )
      await engine.clock.sleep(60_000)
      const deletion = { DeleteRequest: { Key: key('a', 1) } }
      const output = await db.send(
        new BatchWriteItemCommand({
          RequestItems: { log: [{ PutRequest: { Item: key('b', 5) } }, deletion] },
        }),
      )
      expect(output.UnprocessedItems).toEqual({ log: [deletion] })
      expect(await scanned(engine.client, 'log')).toHaveLength(2)
    })
    await engine.close()
  })
})
