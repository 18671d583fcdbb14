import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { fixedShards } from '../scaling/shards.js'

const Key = { pk: { S: 'k' }, sk: { N: '3' } }
/** A new item. With a random suffix, a plain put appends. */
const Item = { pk: { S: 'k' }, sk: { N: '9' }, written: { BOOL: true } }
const nulls = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]))

/** The SDK omits null members from its requests, but its types do not allow them. */
const REQUESTS: Readonly<Record<string, (TableName: string) => object>> = {
  'a query': (TableName) =>
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :k',
      ExpressionAttributeValues: { ':k': { S: 'k' } },
      ...nulls('ExclusiveStartKey', 'ProjectionExpression', 'Limit', 'IndexName', 'KeyConditions', 'Select'),
    } as never),
  'a scan': (TableName) =>
    new ScanCommand({
      TableName,
      ...nulls('FilterExpression', 'ScanFilter', 'ProjectionExpression'),
    } as never),
  'a put': (TableName) =>
    new PutItemCommand({ TableName, Item, ...nulls('ConditionExpression', 'ReturnValues') } as never),
  'an update': (TableName) =>
    new UpdateItemCommand({
      TableName,
      Key,
      UpdateExpression: 'REMOVE written',
      ...nulls('ConditionExpression', 'ExpressionAttributeNames', 'AttributeUpdates'),
    } as never),
  'a read': (TableName) =>
    new GetItemCommand({ TableName, Key, ...nulls('ProjectionExpression', 'AttributesToGet') } as never),
  'a deletion': (TableName) =>
    new DeleteItemCommand({ TableName, Key, ...nulls('Expected', 'ConditionExpression') } as never),
  'a batch of reads': (TableName) => {
    const reads = { Keys: [Key], ...nulls('ProjectionExpression', 'ConsistentRead', 'AttributesToGet') }
    return new BatchGetItemCommand({ RequestItems: { [TableName]: reads } } as never)
  },
  'a batch of writes': (TableName) => {
    const writes = [
      { PutRequest: { Item }, DeleteRequest: null },
      { PutRequest: null, DeleteRequest: { Key: { ...Key, sk: { N: '4' } } } },
    ]
    return new BatchWriteItemCommand({ RequestItems: { [TableName]: writes } } as never)
  },
  'a transaction of reads': (TableName) =>
    new TransactGetItemsCommand({
      TransactItems: [{ Get: { TableName, Key, ...nulls('ProjectionExpression') } }],
    } as never),
  'a transaction of writes': (TableName) => {
    const Put = { TableName, Item, ...nulls('ConditionExpression', 'ExpressionAttributeNames') }
    return new TransactWriteItemsCommand({ TransactItems: [{ Delete: null, Put, Update: null }] } as never)
  },
}

/** The response to a request, and the content of the table afterwards, without table names and the order of a scan. */
async function outcome(db: DynamoDBClient, TableName: string, request: (TableName: string) => object) {
  const answer: object = await db.send(request(TableName) as never).then(
    ({ $metadata: _metadata, ...output }: { $metadata: object }) => output,
    ({ name, message }: Error) => ({ name, message }),
  )
  const { Items = [] } = await db.send(new ScanCommand({ TableName }))
  const sorted = (items: readonly object[]) => items.map((item) => JSON.stringify(item)).sort()
  const found = 'Items' in answer ? { Items: sorted(answer.Items as object[]) } : {}
  const text = JSON.stringify({ ...answer, ...found }).replaceAll(`"${TableName}"`, '"table"')
  return { answer: text, items: sorted(Items) }
}

describe.each(['random', 'calculated'] as const)('on a table with a %s suffix', (suffix) => {
  it.each(Object.entries(REQUESTS))(
    '%s with null members has the same result as without them',
    async (_name, request) => {
      const engine = await shardedEngine({ suffix, shards: fixedShards(4) })
      await engine.clock.run(async () => {
        const db = engine.process()
        for (let number = 0; number < 6; number++) {
          const item = { pk: { S: 'k' }, sk: { N: String(number) }, written: { BOOL: false } }
          await db.send(new PutItemCommand({ TableName: 'log', Item: item }))
          await engine.client.send(new PutItemCommand({ TableName: 'plain', Item: item }))
        }
        const expected = await outcome(engine.client, 'plain', request)
        expect(expected.answer).not.toContain('message')
        expect(await outcome(db, 'log', request)).toEqual(expected)
        const stored = await scanned(engine.client, 'log')
        expect(stored.filter(({ pk }) => !/^k_\d$/.test(pk?.S ?? ''))).toEqual([])
      })
      await engine.close()
    },
  )
})
