import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import type { IsothermMethods } from '../client/isotherm-methods.js'
import { dynamicShards } from '../scaling/shards.js'

const LATENCY_MILLISECONDS = 100
/** The time for which a process uses what it has read of the shard map. */
const CACHE_MILLISECONDS = 10_000

interface Watched {
  readonly engine: ShardedEngine
  readonly db: DynamoDBClient & IsothermMethods
  readonly other: DynamoDBClient & IsothermMethods
  /** Sends a query, and returns the number of items, the requests of each kind, and the time that it took. */
  timed(more?: Partial<QueryCommandInput>): Promise<object>
}

/** A key with a random suffix, whose count another process changes. */
async function withKey(run: (watched: Watched) => Promise<void>): Promise<void> {
  const shards = dynamicShards({ initial: 2 })
  const indexes = { by_rank: { partitionKey: 'rank', shards: dynamicShards({ initial: 2 }) } }
  const engine = await shardedEngine(
    { suffix: 'random', shards, indexes, cacheTtl: `${CACHE_MILLISECONDS}ms` },
    { global: { by_rank: ['isotherm_by_rank'] } },
  )
  const { client, clock } = engine
  let sent: Record<string, number> = {}
  watchRequests(client, {
    before: ({ operation, input: { Key = {} } }) => {
      // The shard map has an item for the table, too.
      const isOfKey = operation === 'Query' || Object.values(Key as object).some(({ S }) => S === 'k')
      if (isOfKey) sent[operation] = (sent[operation] ?? 0) + 1
    },
  })
  client.middlewareStack.add(
    (next) => async (args) => {
      await clock.sleep(LATENCY_MILLISECONDS)
      return next(args)
    },
    { step: 'finalizeRequest', priority: 'low', name: 'latency' },
  )
  const [db, other] = [engine.process(), engine.process()]
  const timed = async (more: Partial<QueryCommandInput> = {}) => {
    sent = {}
    const at = clock.now()
    const command = new QueryCommand({
      TableName: 'log',
      KeyConditionExpression: 'pk = :k',
      ExpressionAttributeValues: { ':k': { S: 'k' } },
      ...more,
    })
    const { Count } = await db.send(command)
    return { Count, sent, milliseconds: clock.now() - at }
  }
  await clock.run(() => run({ engine, db, other, timed }))
  await engine.close()
}

async function putItems(db: DynamoDBClient, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => String(from + index))
  const itemOf = (N: string) => ({ pk: { S: 'k' }, sk: { N }, rank: { S: 'high' } })
  await Promise.all(
    numbers.map((number) => db.send(new PutItemCommand({ TableName: 'log', Item: itemOf(number) }))),
  )
}

describe('a query of a key whose count may have changed', () => {
  it('reads the shard map once if it is consistent', async () => {
    await withKey(async ({ other, timed }) => {
      await other.shards('log', 'k').set(3)
      await putItems(other, 0, 20)
      expect(await timed({ ConsistentRead: true })).toMatchObject({
        Count: 20,
        sent: { GetItem: 1, Query: 3 },
      })
    })
  })

  it('reads the shard map once if it is consistent, and has read too few shards meanwhile', async () => {
    await withKey(async ({ db, other, timed }) => {
      await putItems(db, 0, 20)
      await other.shards('log', 'k').set(5)
      await putItems(other, 20, 60)
      expect(await timed({ ConsistentRead: true })).toMatchObject({
        Count: 60,
        sent: { GetItem: 1, Query: 2 + 5 },
        milliseconds: 2 * LATENCY_MILLISECONDS,
      })
    })
  })

  it('waits for the shard map if it is not consistent and its view has expired, and reads each shard once', async () => {
    await withKey(async ({ engine: { clock }, db, other, timed }) => {
      await db.shards('log', 'k').set(3)
      await putItems(db, 0, 20)
      await other.shards('log', 'k').set(5)
      await putItems(other, 20, 60)
      await clock.sleep(CACHE_MILLISECONDS + 1)
      expect(await timed()).toMatchObject({ Count: 60, sent: { GetItem: 1, Query: 5 } })
    })
  })
})

describe('a query of an index', () => {
  it('reads the retired shards of a value and the others at the same time, since no item of an index is moved', async () => {
    await withKey(async ({ db, timed }) => {
      const shards = db.shards('log', 'high', { index: 'by_rank' })
      await shards.set(4)
      await putItems(db, 0, 20)
      await shards.set(1)
      const query = {
        IndexName: 'by_rank',
        KeyConditionExpression: '#rank = :high',
        ExpressionAttributeNames: { '#rank': 'rank' },
        ExpressionAttributeValues: { ':high': { S: 'high' } },
      }
      // The first query of a value checks the index.
      await timed(query)
      expect(await timed(query)).toMatchObject({
        Count: 20,
        sent: { Query: 4 },
        milliseconds: LATENCY_MILLISECONDS,
      })
    })
  })
})
