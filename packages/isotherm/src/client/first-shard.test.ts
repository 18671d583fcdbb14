import {
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

const TableName = 'log'
const SHARD_MAP = 'log_shard_map'
const key = (sk: number, pk = 'k') => ({ pk: { S: pk }, sk: { N: String(sk) } })
const counted = {
  UpdateExpression: 'ADD visits :one',
  ExpressionAttributeValues: { ':one': { N: '1' } },
}
const update = (sk: number, condition?: string) =>
  new UpdateItemCommand({ TableName, Key: key(sk), ...counted, ConditionExpression: condition })
const get = (sk: number) => new GetItemCommand({ TableName, Key: key(sk), ConsistentRead: true })
const batch = (...sks: readonly number[]) =>
  new BatchGetItemCommand({
    RequestItems: { [TableName]: { Keys: sks.map((sk) => key(sk)), ConsistentRead: true } },
  })
const gets = (...sks: readonly number[]) =>
  new TransactGetItemsCommand({ TransactItems: sks.map((sk) => ({ Get: { TableName, Key: key(sk) } })) })

type Process = ReturnType<ShardedEngine['process']>

/** A process with a valid card, and the tables that its requests go to from then on, in order. */
interface Watched {
  readonly db: Process
  readonly engine: ShardedEngine
  /** Empties the list. */
  asked(): readonly string[]
}

async function within(stored: readonly number[], work: (watched: Watched) => Promise<void>): Promise<void> {
  const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards({ quiet: false }) })
  await engine.clock.run(async () => {
    const db = engine.process()
    for (const sk of stored) await db.send(new PutItemCommand({ TableName, Item: key(sk) }))
    await db.send(get(stored[0] ?? 0))
    let tables: string[] = []
    watchRequests(engine.client, {
      before: ({ input }) => {
        tables.push(JSON.stringify(input).includes(`"${SHARD_MAP}"`) ? SHARD_MAP : TableName)
      },
    })
    const asked = () => {
      const before = tables
      tables = []
      return before
    }
    await work({ db, engine, asked })
  })
  await engine.close()
}

/** Puts an item where only a process that has added shards would. */
async function putInSecond({ client, process }: ShardedEngine, sk: number): Promise<void> {
  await process().shards(TableName, 'k').set(2)
  await client.send(new PutItemCommand({ TableName, Item: key(sk, 'k_2') }))
}

describe('a random key that was never hot', () => {
  it.each([
    ['a consistent get', get(1)],
    ['a consistent batch of gets', batch(1, 2)],
    ['a transaction of gets', gets(1, 2)],
    ['an update', update(1)],
    ['an update on a condition', update(1, 'attribute_exists(pk)')],
    [
      'a put on a condition',
      new PutItemCommand({
        TableName,
        Item: key(1),
        ConditionExpression: 'sk = :n',
        ExpressionAttributeValues: { ':n': { N: '1' } },
      }),
    ],
    [
      'a put that returns the old item',
      new PutItemCommand({ TableName, Item: key(1), ReturnValues: 'ALL_OLD' }),
    ],
    [
      'a transaction of puts',
      new TransactWriteItemsCommand({
        TransactItems: [{ Put: { TableName, Item: key(7) } }, { Put: { TableName, Item: key(8) } }],
      }),
    ],
  ])('takes one request for %s of items that are there', (_what, command) =>
    within([1, 2], async ({ db, asked }) => {
      asked()
      await db.send(command as GetItemCommand)
      expect(asked()).toEqual([TableName])
    }),
  )

  it('asks the shard map about an item that is not there, and reads nothing twice', () =>
    within([1], async ({ db, asked }) => {
      asked()
      expect((await db.send(get(9))).Item).toBeUndefined()
      expect(asked()).toEqual([TableName, SHARD_MAP])
      expect((await db.send(batch(1, 9))).Responses?.[TableName]).toEqual([key(1)])
      expect(asked()).toEqual([TableName, SHARD_MAP])
      expect((await db.send(gets(1, 9))).Responses).toEqual([{ Item: key(1) }, {}])
      expect(asked()).toEqual([TableName, SHARD_MAP])
    }))

  it('creates an item by an update that does not find it, once', () =>
    within([1], async ({ db, asked, engine }) => {
      asked()
      await db.send(update(9))
      expect(asked()).toEqual([TableName, SHARD_MAP, TableName])
      const { Items = [] } = await engine.process().send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :k',
          ExpressionAttributeValues: { ':k': { S: 'k' } },
          ConsistentRead: true,
        }),
      )
      expect(Items).toEqual([key(1), { ...key(9), visits: { N: '1' } }])
    }))

  it('asks the shard map first where most updates create their item', () =>
    within([1], async ({ db, asked }) => {
      for (let sk = 100; sk < 110; sk++) await db.send(update(sk))
      asked()
      await db.send(update(200))
      expect(asked()).toEqual([SHARD_MAP, TableName])
    }))

  it('asks the shard map first for a write whose item must be missing, and for a deletion', () =>
    within([1], async ({ db, asked }) => {
      asked()
      await db.send(update(9, 'attribute_not_exists(pk)'))
      expect(asked()).toEqual([SHARD_MAP, TableName])
      await db.send(new DeleteItemCommand({ TableName, Key: key(1) }))
      expect(asked()).toEqual([SHARD_MAP, TableName])
    }))

  it('reports a condition of the application that is false, without another request', () =>
    within([1], async ({ db, asked }) => {
      asked()
      await expect(db.send(update(1, 'attribute_exists(visits)'))).rejects.toMatchObject({
        name: 'ConditionalCheckFailedException',
      })
      expect(asked()).toEqual([TableName])
    }))
})

describe('a process that does not know of a shard which another one has just added', () => {
  it.each([
    ['get', async (db: Process) => (await db.send(get(5))).Item],
    ['batch of gets', async (db: Process) => (await db.send(batch(1, 5))).Responses?.[TableName]?.[1]],
    ['transaction of gets', async (db: Process) => (await db.send(gets(1, 5))).Responses?.[1]?.Item],
  ])('finds an item there with a consistent %s', (_what, find) =>
    within([1], async ({ db, engine }) => {
      await putInSecond(engine, 5)
      expect(await find(db)).toEqual(key(5))
    }),
  )

  it.each([
    ['without a condition', undefined],
    ['on a condition', 'attribute_exists(pk)'],
  ])('updates the item there %s, and creates no second one', (_what, condition) =>
    within([1], async ({ db, engine }) => {
      await putInSecond(engine, 5)
      await db.send(update(5, condition))
      const there = { TableName, Key: key(5, 'k_2') }
      const { Item } = await engine.client.send(new GetItemCommand(there))
      expect(Item?.visits).toEqual({ N: '1' })
      const { Item: second } = await engine.client.send(new GetItemCommand({ TableName, Key: key(5, 'k_1') }))
      expect(second).toBeUndefined()
    }),
  )
})
