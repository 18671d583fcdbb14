import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { expect, inject, it } from 'vitest'
import { shardedEngine } from '../../../test/sharded-engine.js'
import { MemoryCache } from '../../../test/shared-map.js'
import { isotherm } from '../../client/isotherm.js'
import { dynamicShards } from '../../scaling/shards.js'

const PROCESSES = 24
const SHARDS = 8
const WRITES_PER_SECOND = 20
const SECONDS = 240

it.each(inject('trials') === 'many' ? [1, 2, 3] : [1])(
  'a fleet that shares what it reads keeps the shards that it uses (seed %i)',
  async (seed) => {
    // Together, the processes write twice the rate at which 8 shards of 10 units would count as quiet.
    const shards = dynamicShards({ quiet: '1m', shrink: 'always', partitionUnitsPerSecond: 10 })
    const { clock, client, random, close } = await shardedEngine({ suffix: 'random', shards }, { seed })
    const cache = new MemoryCache()
    const fleet = Array.from({ length: PROCESSES }, (_, number) =>
      isotherm<DynamoDBClient>(client, {
        tables: { log: { partitionKey: 'pk', sortKey: 'sk', suffix: 'random', shards, cacheTtl: '2s' } },
        secondLevelCache: { cache, clockSkew: '100ms' },
        clock,
        random: new SeededRandom(100 * seed + number),
      }),
    )
    await clock.run(async () => {
      await fleet[0]?.shards('log', 'k').set(SHARDS)
      for (let sk = 0; sk < SECONDS * WRITES_PER_SECOND; sk++) {
        const Item = { pk: { S: 'k' }, sk: { N: String(sk % 50) } }
        await fleet[Math.floor(random.next() * PROCESSES)]?.send(
          new PutItemCommand({ TableName: 'log', Item }),
        )
        await clock.sleep(1_000 / WRITES_PER_SECOND)
      }
      expect(await fleet[0]?.shards('log', 'k').read()).toMatchObject({ shards: SHARDS })
    })
    for (const process of fleet) process.destroy()
    await close()
  },
)
