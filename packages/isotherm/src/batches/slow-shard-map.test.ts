import { BatchWriteItemCommand, type BatchWriteItemCommandInput } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { keyOf, TwinTables } from '../../test/twin-tables.js'
import { atRest } from '../protocol/states/shard-state.js'

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
