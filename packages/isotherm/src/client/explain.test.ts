import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { sdkClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { CUSTOMER, keyOf, type Situation, TwinTables } from '../../test/twin-tables.js'
import { CARD_KEY } from '../protocol/index.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'

const RANDOM: Situation = { name: 'random', suffix: 'random', shards: 4 }
const CALCULATED: Situation = { name: 'calculated', suffix: 'calculated', shards: 4 }
const ofSharded = { TableName: 'sharded' }

describe('explain', () => {
  it('lists the physical requests and writes nothing', async () => {
    const twins = new TwinTables(CALCULATED)
    await twins.run(async () => {
      const [write, ...more] = await twins.db.explain(new PutItemCommand({ ...ofSharded, Item: keyOf(1) }))
      expect(more).toEqual([])
      expect(write).toMatchObject({ operation: 'PutItem' })
      const { customer } = Object(write?.input.Item) as Record<string, { S: string }>
      const stored = customer?.S
      expect(stored).toMatch(/^c_1_[1-4]$/)
      expect((await twins.contents()).sharded).toEqual([])
      await twins.db.send(new PutItemCommand({ ...ofSharded, Item: keyOf(1) }))
      const [read] = await twins.db.explain(new GetItemCommand({ ...ofSharded, Key: keyOf(1) }))
      expect(read).toMatchObject({ operation: 'GetItem', input: { Key: { customer: { S: stored } } } })
    })
  })

  it('lists a request for each shard of a query', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      const query = new QueryCommand({
        ...ofSharded,
        KeyConditionExpression: 'customer = :c',
        ExpressionAttributeValues: { ':c': CUSTOMER },
      })
      const requests = await twins.db.explain(query)
      const asked = requests.map(({ input }) => Object.values(input.ExpressionAttributeValues as object))
      expect(asked).toEqual([1, 2, 3, 4].map((shard) => [{ S: `c_1_${shard}` }]))
    })
  })

  it('lists the reads that look for the item of a start key', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      const query = new QueryCommand({
        ...ofSharded,
        IndexName: 'by_state',
        KeyConditionExpression: 'item_state = :s',
        ExpressionAttributeValues: { ':s': { S: 'open' } },
        ExclusiveStartKey: { ...keyOf(1), item_state: { S: 'open' } },
      })
      const requests = await twins.db.explain(query)
      expect(requests.map(({ operation }) => operation)).toContain('GetItem')
    })
  })

  it('finds the item of a write by reading, and stops before the write', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      await twins.seed(keyOf(1), { place: 1, isMarked: false })
      const requests = await twins.db.explain(new DeleteItemCommand({ ...ofSharded, Key: keyOf(1) }))
      expect(requests.map(({ operation }) => operation)).toEqual(['BatchGetItem', 'DeleteItem'])
      expect((await twins.contents()).sharded).toEqual([keyOf(1)])
    })
  })

  it('supports batches and transactions, and unsharded tables', async () => {
    const twins = new TwinTables(CALCULATED)
    await twins.run(async () => {
      const Item = keyOf(1)
      const batch = await twins.db.explain(
        new BatchWriteItemCommand({ RequestItems: { sharded: [{ PutRequest: { Item } }] } }),
      )
      expect(batch.map(({ operation }) => operation)).toEqual(['BatchWriteItem'])
      const transaction = await twins.db.explain(
        new TransactWriteItemsCommand({ TransactItems: [{ Put: { ...ofSharded, Item } }] }),
      )
      expect(transaction.map(({ operation }) => operation)).toEqual(['TransactWriteItems'])
      const plain = new PutItemCommand({ TableName: 'plain', Item })
      expect(await twins.db.explain(plain)).toEqual([{ operation: 'PutItem', input: plain.input }])
      expect(await twins.db.explain(new ListTablesCommand({}))).toEqual([
        { operation: 'ListTables', input: {} },
      ])
      const { sharded, plain: items } = await twins.contents()
      expect([...sharded, ...items]).toEqual([])
    })
  })

  it('adds no key to the shard map, and accepts document commands', async () => {
    const tables = new FakeTables()
      .create('log', { partitionKey: 'file_path', sortKey: 'at' })
      .create('log_shard_map', { partitionKey: 'file_path' })
    const client = await sdkClient(tables)
    const db = isotherm(DynamoDBDocumentClient.from(client), {
      tables: {
        log: { partitionKey: 'file_path', sortKey: 'at', suffix: 'random', shards: dynamicShards() },
      },
    })
    const requests = await db.explain(new PutCommand({ TableName: 'log', Item: { file_path: '/a', at: 1 } }))
    expect(requests).toEqual([
      {
        operation: 'PutItem',
        input: { TableName: 'log', Item: { file_path: { S: '/a_1' }, at: { N: '1' } } },
      },
    ])
    // Only the card of the table.
    expect(tables.items('log_shard_map')).toMatchObject([{ file_path: { S: CARD_KEY } }])
  })
})
