import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { CARD_KEY } from '../protocol/index.js'
import { dynamicShards } from '../scaling/shards.js'

/** Each command on keys of its own, which nobody has used before. */
const commands = {
  put: (TableName, pk) => new PutItemCommand({ TableName, Item: item(pk, 1) }),
  get: (TableName, pk) => new GetItemCommand({ TableName, Key: key(pk, 1) }),
  'get, consistent': (TableName, pk) =>
    new GetItemCommand({ TableName, Key: key(pk, 1), ConsistentRead: true }),
  update: (TableName, pk) =>
    new UpdateItemCommand({
      TableName,
      Key: key(pk, 1),
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    }),
  delete: (TableName, pk) => new DeleteItemCommand({ TableName, Key: key(pk, 1) }),
  query: (TableName, pk) => new QueryCommand({ TableName, ...ofKey(pk) }),
  'query, consistent': (TableName, pk) => new QueryCommand({ TableName, ...ofKey(pk), ConsistentRead: true }),
  'batch of 25 puts': (TableName, pk) =>
    new BatchWriteItemCommand({
      RequestItems: { [TableName]: keys(pk).map((each) => ({ PutRequest: { Item: item(each, 1) } })) },
    }),
  'batch of 25 gets': (TableName, pk) =>
    new BatchGetItemCommand({
      RequestItems: { [TableName]: { Keys: keys(pk).map((each) => key(each, 1)) } },
    }),
  'batch of 25 gets, consistent': (TableName, pk) =>
    new BatchGetItemCommand({
      RequestItems: { [TableName]: { Keys: keys(pk).map((each) => key(each, 1)), ConsistentRead: true } },
    }),
  'transaction of 25 puts': (TableName, pk) =>
    new TransactWriteItemsCommand({
      TransactItems: keys(pk).map((each) => ({ Put: { TableName, Item: item(each, 1) } })),
    }),
  'transaction of 25 gets': (TableName, pk) =>
    new TransactGetItemsCommand({
      TransactItems: keys(pk).map((each) => ({ Get: { TableName, Key: key(each, 1) } })),
    }),
} satisfies Record<string, (TableName: string, pk: string) => { readonly input: object }>

type Name = keyof typeof commands

const key = (pk: string, sk: number) => ({ pk: { S: pk }, sk: { N: String(sk) } })
const item = (pk: string, sk: number) => ({ ...key(pk, sk), text: { S: 'x'.repeat(500) } })
const keys = (pk: string) => Array.from({ length: 25 }, (_, at) => `${pk}-${at}`)
const ofKey = (pk: string) => ({
  KeyConditionExpression: 'pk = :k',
  ExpressionAttributeValues: { ':k': { S: pk } },
})

/** The reads of the shard map by each command, where there are any. */
type Reads = Readonly<Record<'random' | 'calculated', Partial<Record<Name, number>>>>

/**
 * With a random suffix, another process may have added a shard a moment ago. So a missing item may be there, and the result of a query may
 * be a part of it.
 */
const OF_MISSING_ITEMS: Reads = {
  calculated: {},
  random: {
    'get, consistent': 1,
    update: 1,
    delete: 1,
    'query, consistent': 1,
    'batch of 25 gets, consistent': 25,
    'transaction of 25 gets': 25,
  },
}

/** A copy of a deleted item may be in another shard, too. */
const OF_ITEMS_THAT_ARE_THERE: Reads = {
  calculated: {},
  random: { delete: 1, 'query, consistent': 1 },
}

describe.each(['random', 'calculated'] as const)('a key that was never hot, with a suffix %s', (suffix) => {
  const within = async (work: (engine: ShardedEngine) => Promise<void>) => {
    const engine = await shardedEngine({ suffix, shards: dynamicShards() })
    await engine.clock.run(() => work(engine))
    await engine.close()
  }

  it.each([
    ['that are there', OF_ITEMS_THAT_ARE_THERE],
    ['that are not', OF_MISSING_ITEMS],
  ])('costs what it does without the library for items %s, and gets no item in the shard map', (_, reads) =>
    within(async (engine) => {
      const db = engine.process()
      await db.send(new GetItemCommand({ TableName: 'log', Key: key('first', 1) }))
      if (reads === OF_ITEMS_THAT_ARE_THERE) {
        const used = (Object.keys(commands) as Name[]).map((name) => `of ${name}`)
        for (const pk of used.flatMap((one) => [one, ...keys(one)])) {
          await db.send(new PutItemCommand({ TableName: 'log', Item: item(pk, 1) }))
          await engine.client.send(new PutItemCommand({ TableName: 'plain', Item: item(pk, 1) }))
        }
      }
      let cost = { requests: 0, read: 0, write: 0 }
      watchRequests(engine.client, {
        after: (_, { read, write }) => {
          cost = { requests: cost.requests + 1, read: cost.read + read, write: cost.write + write }
        },
      })
      const costOf = async (client: DynamoDBClient, TableName: string, name: Name) => {
        cost = { requests: 0, read: 0, write: 0 }
        await client.send(commands[name](TableName, `of ${name}`) as PutItemCommand)
        return cost
      }
      for (const name of Object.keys(commands) as Name[]) {
        const plain = await costOf(engine.client, 'plain', name)
        const extra = reads[suffix][name] ?? 0
        expect({ name, ...(await costOf(db, 'log', name)) }).toEqual({
          name,
          ...plain,
          requests: plain.requests + extra,
          read: plain.read + extra,
        })
      }
      expect(await scanned(engine.client, 'log_shard_map')).toMatchObject([{ pk: { S: CARD_KEY } }])
    }),
  )

  it('costs a new process one read of one item', () =>
    within(async (engine) => {
      await engine.process().send(new PutItemCommand({ TableName: 'log', Item: item('k', 1) }))
      const sent: string[] = []
      watchRequests(engine.client, {
        after: ({ operation, input }, { read }) => sent.push(`${operation} ${input.TableName}, ${read} RCU`),
      })
      const db = engine.process()
      for (const pk of ['k', 'other', 'third']) {
        await db.send(new PutItemCommand({ TableName: 'log', Item: item(pk, 2) }))
      }
      const put = 'PutItem log, 0 RCU'
      expect(sent).toEqual(['GetItem log_shard_map, 1 RCU', put, put, put])
    }))
})
