import { BatchWriteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { keyOf, TwinTables } from '../../test/twin-tables.js'
import { atRest } from '../protocol/states/shard-state.js'

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
