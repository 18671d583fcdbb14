import { PutItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

const TableName = 'log'

describe.each(['random', 'calculated'] as const)(
  'with a %s suffix, a client that caches handlers',
  (suffix) => {
    it('writes and reads after the views of its first requests have expired', async () => {
      const engine = await shardedEngine({ suffix, shards: dynamicShards({ initial: 3, quiet: false }) })
      const config: { cacheMiddleware?: boolean } = engine.client.config
      config.cacheMiddleware = true
      await engine.clock.run(async () => {
        const db = engine.process()
        for (let at = 0; at < 3; at++) {
          const key = { pk: { S: 'k' }, sk: { N: String(at) } }
          await db.send(new PutItemCommand({ TableName, Item: key }))
          await db.send(new UpdateItemCommand({ TableName, Key: key, UpdateExpression: 'SET a = sk' }))
          await engine.clock.sleep(60_000)
        }
        const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: 'k' } } }
        const { Items = [] } = await db.send(new QueryCommand({ TableName, ...query }))
        expect(Items.map(({ a }) => a?.N)).toEqual(['0', '1', '2'])
      })
      await engine.close()
    })
  },
)
