import { DeleteItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { jump } from '../protocol/placement/jump.js'
import { placeHash } from '../protocol/placement/place-hash.js'
import { dynamicShards } from '../scaling/shards.js'

/** A sort key in shard 4 of 5. */
const SORT_KEY = Array.from({ length: 1_000 }, (_, sk) => sk).find(
  (sk) => jump(placeHash([{ N: String(sk) }]), 5) === 3,
)
const KEY = { pk: { S: 'k' }, sk: { N: String(SORT_KEY) } }

it('an item that is moved from its home shard before a transaction arrives that found it there is updated in its new shard', async () => {
  const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards({ quiet: false }) })
  const { client, clock } = engine
  await engine.setState({ shards: 5, lastUpdated: 3, history: ['1:5', '2:2', '3:5'] })
  const inShard = (shard: number) => ({ ...KEY, pk: { S: `k_${shard}` } })
  await client.send(new PutItemCommand({ TableName: 'log', Item: inShard(4) }))
  let isMoved = false
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand' && !isMoved) {
          isMoved = true
          await client.send(new DeleteItemCommand({ TableName: 'log', Key: inShard(4) }))
          await client.send(new PutItemCommand({ TableName: 'log', Item: inShard(1) }))
        }
        return next(args)
      },
    { step: 'initialize' },
  )
  await clock.run(async () => {
    const Update = {
      TableName: 'log',
      Key: KEY,
      UpdateExpression: 'SET seen = :yes',
      ExpressionAttributeValues: { ':yes': { S: 'yes' } },
    }
    await engine.process().send(new TransactWriteItemsCommand({ TransactItems: [{ Update }] }))
    expect(await scanned(client, 'log')).toEqual([{ ...inShard(1), seen: { S: 'yes' } }])
  })
  await engine.close()
})
