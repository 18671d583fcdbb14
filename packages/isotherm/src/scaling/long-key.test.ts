import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { dynamicShards, fixedShards } from './shards.js'

/** With the suffix `_99` it has the maximum length of a partition key in DynamoDB. */
const KEY = 'x'.repeat(2_045)

it.each(['random', 'calculated'] as const)(
  'a long key gets no more shards than it has room for the number of, with a %s suffix',
  async (suffix) => {
    const shards = dynamicShards()
    const { clock, client, close } = await shardedEngine({ suffix, shards })
    const db = isotherm(client, {
      tables: { log: { partitionKey: 'pk', sortKey: 'sk', suffix, shards } },
      clock,
    })
    await clock.run(async () => {
      const Item = { pk: { S: KEY }, sk: { N: '1' } }
      await db.send(new PutItemCommand({ TableName: 'log', Item }))
      await expect(db.shards('log', KEY).set(100)).rejects.toMatchObject({ code: 'key.too-long' })
      expect(await db.shards('log', KEY).read()).toMatchObject({ shards: 1 })
      await db.shards('log', KEY).set(99)
      const { Items } = await db.send(
        new QueryCommand({
          TableName: 'log',
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: KEY } },
          ConsistentRead: true,
        }),
      )
      expect(Items).toEqual([Item])
    })
    db.destroy()
    await close()
  },
)

it.each([
  ['random', { shards: fixedShards(12) }, 2_046],
  ['calculated', { shards: fixedShards(12) }, 2_046],
  ['random', { shards: dynamicShards({ initial: 12 }) }, 2_046],
  ['random', { shards: fixedShards(3), adopt: true }, 2_048],
] as const)(
  'a key without room for the number of each of its first shards is refused in all of them: %s, %o',
  async (suffix, options, bytes) => {
    const { clock, client, process, close } = await shardedEngine({ suffix, ...options })
    const db = process()
    await clock.run(async () => {
      for (let sort = 1; sort <= 20; sort++) {
        const Item = { pk: { S: 'x'.repeat(bytes) }, sk: { N: String(sort) } }
        await expect(db.send(new PutItemCommand({ TableName: 'log', Item }))).rejects.toMatchObject({
          code: 'key.too-long',
        })
      }
      expect(await scanned(client, 'log')).toEqual([])
    })
    db.destroy()
    await close()
  },
)
