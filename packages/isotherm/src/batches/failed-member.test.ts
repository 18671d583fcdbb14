import { BatchWriteItemCommand, DeleteTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { keyOf, TwinTables } from '../../test/twin-tables.js'
import { atRest } from '../protocol/states/shard-state.js'
import { dynamicShards } from '../scaling/shards.js'

describe('a batch of writes with a failing member', () => {
  it('writes nothing after it has failed', async () => {
    const state = atRest({ shards: 3, lastUpdated: 1, history: ['1:3'] })
    const twins = new TwinTables({ name: 'random', suffix: 'random', shards: 3, state })
    const members = [1, 2, 3].map((id) => ({ DeleteRequest: { Key: keyOf(id) } }))
    const failure = Object.assign(new Error('The request could not be served.'), {
      name: 'InternalServerError',
    })
    let deletions = 0
    twins.beforeRequest = async (operation) => {
      if (operation !== 'DeleteItem') return
      deletions += 1
      if (deletions === 1) throw failure
      await twins.clock.sleep(3_000)
    }
    await twins.run(async () => {
      for (const id of [1, 2, 3])
        await twins.db.send(new PutItemCommand({ TableName: 'sharded', Item: keyOf(id) }))
      const batch = new BatchWriteItemCommand({ RequestItems: { sharded: members } })
      await expect(twins.db.send(batch)).rejects.toBe(failure)
      const written = (await twins.contents()).sharded
      await twins.clock.sleep(10_000)
      expect((await twins.contents()).sharded).toEqual(written)
      expect(written).toHaveLength(1)
    })
  })
})

describe('a batch that is partly written when the shard map is lost', () => {
  it('returns the members that were not written, so that the caller repeats only those', async () => {
    const shards = dynamicShards({ initial: 3, quiet: false })
    const { client, clock, process, close } = await shardedEngine({
      suffix: 'random',
      shards,
      cacheTtl: '5s',
    })
    const keyOf = (sk: number) => ({ pk: { S: 'k' }, sk: { N: String(sk) } })
    await clock.run(async () => {
      const db = process()
      await db.send(new PutItemCommand({ TableName: 'log', Item: keyOf(1) }))
      await clock.sleep(6_000)
      await client.send(new DeleteTableCommand({ TableName: 'log_shard_map' }))
      await clock.sleep(60_000)
      const deletion = { DeleteRequest: { Key: keyOf(1) } }
      const puts = [7, 8, 9].map((sk) => ({ PutRequest: { Item: keyOf(sk) } }))
      const batch = new BatchWriteItemCommand({ RequestItems: { log: [...puts, deletion] } })
      expect((await db.send(batch)).UnprocessedItems).toEqual({ log: [deletion] })
      const stored = (await scanned(client, 'log')).map(({ sk }) => Number(sk?.N))
      expect(stored.toSorted()).toEqual([1, 7, 8, 9])
      const none = new BatchWriteItemCommand({ RequestItems: { log: [deletion] } })
      await expect(db.send(none)).rejects.toMatchObject({ code: 'shard-map.missing' })
    })
    await close()
  })
})
