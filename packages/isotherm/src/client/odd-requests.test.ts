import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

const KEY = { pk: { S: 'k' }, sk: { N: '1' } }
const VALUE = { ExpressionAttributeValues: { ':v': { S: 'x' } } }
const SET_KEY = { UpdateExpression: 'SET pk = :v', ...VALUE }

const REQUESTS = {
  'a condition whose parentheses do not match': (TableName: string) =>
    new PutItemCommand({ TableName, Item: KEY, ConditionExpression: 'a <> :v) OR (b = :v', ...VALUE }),
  'the same in a transaction': (TableName: string) => {
    const Put = { TableName, Item: KEY, ConditionExpression: 'a <> :v) OR (b = :v', ...VALUE }
    return new TransactWriteItemsCommand({ TransactItems: [{ Put }] })
  },
  'an empty condition': (TableName: string) =>
    new PutItemCommand({ TableName, Item: KEY, ConditionExpression: '' }),
  'a key with an attribute too many': (TableName: string) =>
    new GetItemCommand({ TableName, Key: { ...KEY, other: { S: 'x' } } }),
  'an update of the key': (TableName: string) => new UpdateItemCommand({ TableName, Key: KEY, ...SET_KEY }),
  'the same update in a transaction': (TableName: string) =>
    new TransactWriteItemsCommand({ TransactItems: [{ Update: { TableName, Key: KEY, ...SET_KEY } }] }),
  'a member of a transaction that is two actions': (TableName: string) => {
    const member = { Put: { TableName, Item: KEY }, Delete: { TableName, Key: KEY } }
    return new TransactWriteItemsCommand({ TransactItems: [member as never] })
  },
}

async function refusal(client: DynamoDBClient, command: object) {
  const error = await client.send(command as never).then(
    () => new Error('It was not refused.'),
    (thrown: Error) => thrown,
  )
  return { name: error.name, message: error.message }
}

describe.each(['random', 'calculated'] as const)('on a table with a %s suffix', (suffix) => {
  it.each(Object.entries(REQUESTS))('%s is rejected as on any other table', async (_name, request) => {
    const engine = await shardedEngine({ suffix, shards: dynamicShards({ quiet: false, initial: 3 }) })
    await engine.clock.run(async () => {
      const expected = await refusal(engine.client, request('plain'))
      expect(expected.name).toMatch(/^(Validation|TransactionCanceled)Exception$/)
      expect(await refusal(engine.process(), request('log'))).toEqual(expected)
    })
    await engine.close()
  })
})
