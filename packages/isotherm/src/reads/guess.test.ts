import { type DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

const TableName = 'log'
const key = (sk: number) => ({ pk: { S: 'k' }, sk: { N: String(sk) } })
const put = (sk: number) => new PutItemCommand({ TableName, Item: key(sk) })
const commands = {
  query: () =>
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :k',
      ExpressionAttributeValues: { ':k': { S: 'k' } },
      ConsistentRead: true,
    }),
  get: () => new GetItemCommand({ TableName, Key: key(1), ConsistentRead: true }),
}

/** Each request takes a tenth of a second to the service, and nothing back. */
function delay({ client, clock }: ShardedEngine): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      await clock.sleep(100)
      return next(args)
    },
    { step: 'finalizeRequest', priority: 'low', name: 'delay' },
  )
}

async function within(work: (engine: ShardedEngine) => Promise<void>): Promise<void> {
  const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards() })
  await engine.clock.run(() => work(engine))
  await engine.close()
}

/** Sends a command, and returns how long it took, and how many requests of the table it sent. */
async function timed({ client, clock }: ShardedEngine, db: DynamoDBClient, name: keyof typeof commands) {
  let requests = 0
  watchRequests(client, {
    after: ({ input }) => {
      if (JSON.stringify(input).includes(`"${TableName}"`)) requests += 1
    },
  })
  const from = clock.now()
  const { Items, Item } = (await db.send(commands[name]() as QueryCommand)) as {
    readonly Items?: readonly object[]
    readonly Item?: object
  }
  return { milliseconds: clock.now() - from, requests, items: Items?.length ?? (Item === undefined ? 0 : 1) }
}

it.each(['query', 'get'] as const)(
  'a consistent %s of a random key asks the shards and the shard map at the same time',
  (name) =>
    within(async (engine) => {
      const db = engine.process()
      await db.send(put(1))
      delay(engine)
      expect(await timed(engine, db, name)).toEqual({ milliseconds: 100, requests: 1, items: 1 })
    }),
)

it.each(['query', 'get'] as const)(
  'a consistent %s asks again if another process has added shards meanwhile',
  (name) =>
    within(async (engine) => {
      const db = engine.process()
      await db.send(put(9))
      const other = engine.process()
      await other.shards(TableName, 'k').set(2)
      // In the new shard, of which the first process does not know.
      await engine.client.send(new PutItemCommand({ TableName, Item: { ...key(1), pk: { S: 'k_2' } } }))
      delay(engine)
      const { milliseconds, requests, items } = await timed(engine, db, name)
      // Two shards are asked by two queries, or by one batch of keys. A get asks the shard map only if the first shard has no such item.
      expect({ milliseconds, requests }).toEqual(
        name === 'query' ? { milliseconds: 200, requests: 3 } : { milliseconds: 300, requests: 2 },
      )
      expect(items).toBe(name === 'query' ? 2 : 1)
    }),
)

it('a process that knows nothing of the key asks the shard map first', () =>
  within(async (engine) => {
    await engine.process().send(put(1))
    const db = engine.process()
    delay(engine)
    // The card, the item of the key, and the shard.
    expect(await timed(engine, db, 'query')).toEqual({ milliseconds: 300, requests: 1, items: 1 })
  }))
