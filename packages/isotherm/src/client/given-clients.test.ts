import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { adoptCheck } from '../adopting/adopt-check.js'
import { dynamicShards } from '../scaling/shards.js'
import { backfillIndexes } from './backfill-indexes.js'
import { checkHandMade } from './hand-made-check.js'
import { optionsOnCard } from './options-on-card.js'
import { rebuildShardMap } from './rebuild-shard-map.js'

const OPTIONS = { suffix: 'random', shards: dynamicShards() } as const

describe('a client that is sharded already', () => {
  it.each(Object.entries({ adoptCheck, backfillIndexes, checkHandMade, optionsOnCard, rebuildShardMap }))(
    'is refused by %s, which needs the keys as they are stored',
    async (_name, call) => {
      const { process, clock, close } = await shardedEngine(OPTIONS)
      await clock.run(async () => {
        const options = { ...OPTIONS, partitionKey: 'pk', sortKey: 'sk' }
        await expect(call(process(), { table: 'log', options } as never)).rejects.toMatchObject({
          code: 'options.invalid',
          message: expect.stringContaining('the original client'),
        })
        await expect(call({} as never, { table: 'log', options } as never)).rejects.toMatchObject({
          code: 'options.invalid',
          message: expect.stringContaining('a DynamoDBClient'),
        })
      })
      await close()
    },
  )
})
