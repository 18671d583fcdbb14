import { type DynamoDBClient, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { jump } from '../protocol/placement/jump.js'
import { placeHash } from '../protocol/placement/place-hash.js'
import { dynamicShards } from '../scaling/shards.js'

/** A sort key whose shard changes when four shards become five. */
const SORT_KEY = Array.from({ length: 1_000 }, (_, sk) => String(sk)).find((N) => {
  const hash = placeHash([{ N }])
  return jump(hash, 4) !== jump(hash, 5)
})
const KEY = { pk: { S: 'k' }, sk: { N: String(SORT_KEY) } }

/** Loses the first response to a transaction, which is noticed only when the view of the shard map has expired. */
function loseFirstAnswer({ client, clock }: ShardedEngine, meanwhile: () => Promise<void> = async () => {}) {
  let isLost = false
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const output = await next(args)
        if (isLost || commandName !== 'TransactWriteItemsCommand') return output
        isLost = true
        await meanwhile()
        await clock.sleep(11_000)
        throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', $metadata: {} })
      },
    { step: 'deserialize', priority: 'high', name: 'losing' },
  )
}

async function counting(work: (engine: ShardedEngine, db: DynamoDBClient) => Promise<void>) {
  const shards = dynamicShards({ initial: 4, quiet: false })
  const engine = await shardedEngine({ suffix: 'calculated', shards })
  await engine.clock.run(async () => {
    const db = engine.process()
    await db.send(new PutItemCommand({ TableName: 'log', Item: { ...KEY, count: { N: '0' } } }))
    await work(engine, db)
  })
  await engine.close()
}

const increment = () =>
  new TransactWriteItemsCommand({
    TransactItems: [
      {
        Update: {
          TableName: 'log',
          Key: KEY,
          UpdateExpression: 'ADD #count :one',
          ExpressionAttributeNames: { '#count': 'count' },
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      },
    ],
  })

describe('a transaction whose response was lost', () => {
  it('is executed once, even if its items are searched again before it is retried', async () => {
    await counting(async (engine, db) => {
      loseFirstAnswer(engine)
      await db.send(increment())
      expect((await scanned(engine.client, 'log')).map(({ count }) => count?.N)).toEqual(['1'])
    })
  })

  it('fails with the original error if its item has moved meanwhile, and is not executed again', async () => {
    await counting(async (engine, db) => {
      const { client } = engine
      loseFirstAnswer(engine, async () => {
        const change = { phase: 'moved', from: 4, to: 5 } as const
        await engine.setState({ shards: 5, lastUpdated: 4e9, history: ['1:4', '2:5'], ...change })
      })
      await expect(db.send(increment())).rejects.toMatchObject({ message: 'socket hang up' })
      expect((await scanned(client, 'log')).map(({ count }) => count?.N)).toEqual(['1'])
    })
  })
})
