import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

const LATENCY_MILLISECONDS = 100

/** A key with a random suffix, whose new shards are used at once, and the requests of each kind. */
async function withKey(
  run: (engine: ShardedEngine, requests: Map<string, number>) => Promise<void>,
): Promise<void> {
  const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards({ initial: 2 }) })
  const requests = new Map<string, number>()
  engine.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        requests.set(commandName, (requests.get(commandName) ?? 0) + 1)
        await engine.clock.sleep(LATENCY_MILLISECONDS)
        return next(args)
      },
    { step: 'initialize', name: 'count' },
  )
  await engine.clock.run(() => run(engine, requests))
  await engine.close()
}

async function putItems(db: DynamoDBClient, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index)
  const put = (number: number) =>
    db.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { N: String(number) } } }))
  await Promise.all(numbers.map(put))
}

const query = (more: Partial<QueryCommandInput> = {}) =>
  new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: 'pk = :k',
    ExpressionAttributeValues: { ':k': { S: 'k' } },
    ConsistentRead: true,
    ...more,
  })

const numbersOf = (items: readonly Record<string, { N?: string }>[] = []) =>
  items.map(({ sk }) => Number(sk?.N))
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number)

describe('a consistent query of a key whose shards may just have been added', () => {
  it('reads the shards that it knows while it asks the shard map, and only once', async () => {
    await withKey(async ({ clock, process }, requests) => {
      const db = process()
      await db.shards('log', 'k').set(3)
      await putItems(db, 0, 20)
      requests.clear()
      const at = clock.now()
      const { Items } = await db.send(query())
      expect(numbersOf(Items)).toEqual(upTo(20))
      expect(clock.now() - at).toBe(LATENCY_MILLISECONDS)
      expect(requests.get('QueryCommand')).toBe(3)
    })
  })

  it('returns each item once, also from shards that it did not know', async () => {
    await withKey(async ({ process }, requests) => {
      const [db, other] = [process(), process()]
      await putItems(db, 0, 20)
      await db.send(query())
      await other.shards('log', 'k').set(6)
      await putItems(other, 20, 60)
      requests.clear()
      const { Items, ScannedCount } = await db.send(
        query({ FilterExpression: 'attribute_not_exists(absent)', Limit: 100 }),
      )
      expect(numbersOf(Items)).toEqual(upTo(60))
      expect(ScannedCount).toBe(60)
      expect(requests.get('QueryCommand')).toBe(2 + 6)
    })
  })

  it('waits for the shard map where its cursor names a shard that it does not know', async () => {
    await withKey(async ({ process }, requests) => {
      const [db, other] = [process(), process()]
      await putItems(db, 0, 20)
      await db.send(query())
      await other.shards('log', 'k').set(6)
      await putItems(other, 20, 60)
      requests.clear()
      const ExclusiveStartKey = { pk: { S: 'k_6' }, sk: { N: '29.5' } }
      const { Items } = await db.send(query({ ExclusiveStartKey }))
      expect(numbersOf(Items)).toEqual(upTo(60).slice(30))
      expect(requests.get('QueryCommand')).toBe(6)
    })
  })

  it('reads at once where its cursor names the last shard that it knows', async () => {
    await withKey(async ({ clock, process }) => {
      const db = process()
      await db.shards('log', 'k').set(3)
      await putItems(db, 0, 20)
      const at = clock.now()
      const ExclusiveStartKey = { pk: { S: 'k_3' }, sk: { N: '9.5' } }
      expect(numbersOf((await db.send(query({ ExclusiveStartKey }))).Items)).toEqual(upTo(20).slice(10))
      expect(clock.now() - at).toBe(LATENCY_MILLISECONDS)
    })
  })
})

it('A consistent read that waits for the shard map finds the items that moved to fewer shards meanwhile.', async () => {
  const engine = await shardedEngine({
    suffix: 'random',
    shards: dynamicShards({ quiet: false }),
    cacheTtl: '10s',
    lateRequests: '1s',
  })
  const { clock, client } = engine
  await clock.run(async () => {
    const [idle, db] = [engine.process(), engine.process()]
    await putItems(idle, 0, 1)
    await clock.sleep(60_000)
    await db.shards('log', 'k').set(4)
    await putItems(db, 1, 20)
    await db.shards('log', 'k').set(1)
    const drained = db.shards('log', 'k').drain()
    await clock.sleep(9_000)
    let isHeld = true
    client.middlewareStack.add(
      (next) => async (args) => {
        if ((args.input as { readonly TableName?: string }).TableName === 'log_shard_map' && isHeld) {
          isHeld = false
          await clock.sleep(9_000)
        }
        return next(args)
      },
      { step: 'initialize', name: 'hold the first read of the shard map' },
    )
    const { Items } = await idle.send(query())
    expect(await drained).toBe('settled')
    expect(numbersOf(Items)).toEqual(upTo(20))
  })
  await engine.close()
})
