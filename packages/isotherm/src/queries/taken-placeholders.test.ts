import { PutItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { fixedShards } from '../scaling/shards.js'

/**
 * Queries whose placeholders have the names that the library uses itself, and how many of the items 0 to 9 they find.
 */
const QUERIES: Readonly<Record<string, { input: Partial<QueryCommandInput>; count: number }>> = {
  'values of the sort key': {
    input: {
      KeyConditionExpression: 'pk = :k AND sk BETWEEN :a AND :b',
      FilterExpression: 'v BETWEEN :isotherm_low AND :isotherm_high',
      ExpressionAttributeValues: {
        ':a': { N: '2' },
        ':b': { N: '8' },
        ':isotherm_low': { N: '4' },
        ':isotherm_high': { N: '5' },
      },
    },
    count: 2,
  },
  'the value of the partition key': {
    input: {
      FilterExpression: 'v = :isotherm_partition',
      ExpressionAttributeValues: { ':isotherm_partition': { N: '6' } },
    },
    count: 1,
  },
  'names of both keys': {
    input: {
      KeyConditionExpression: 'pk = :k AND sk < :a',
      FilterExpression: 'attribute_exists(#isotherm_partition) AND attribute_exists(#isotherm_sort)',
      ExpressionAttributeNames: { '#isotherm_partition': 'v', '#isotherm_sort': 'v' },
      ExpressionAttributeValues: { ':a': { N: '7' } },
    },
    count: 7,
  },
  'the name of an attribute that is fetched': {
    input: {
      ProjectionExpression: '#isotherm_fetched0',
      ExpressionAttributeNames: { '#isotherm_fetched0': 'v' },
    },
    count: 10,
  },
  'the same in a count': {
    input: {
      Select: 'COUNT',
      FilterExpression: '#isotherm_fetched0 = :v',
      ExpressionAttributeNames: { '#isotherm_fetched0': 'v' },
      ExpressionAttributeValues: { ':v': { N: '3' } },
    },
    count: 1,
  },
}

async function withItems(run: (engine: ShardedEngine) => Promise<void>): Promise<void> {
  const engine = await shardedEngine({ suffix: 'random', shards: fixedShards(3) })
  await engine.clock.run(async () => {
    const db = engine.process()
    for (let number = 0; number < 10; number++) {
      const Item = { pk: { S: 'k' }, sk: { N: String(number) }, v: { N: String(number) } }
      await db.send(new PutItemCommand({ TableName: 'log', Item }))
      await engine.client.send(new PutItemCommand({ TableName: 'plain', Item }))
    }
    await run(engine)
  })
  await engine.close()
}

const query = (TableName: string, more: Partial<QueryCommandInput>) =>
  new QueryCommand({
    TableName,
    KeyConditionExpression: 'pk = :k',
    ...more,
    ExpressionAttributeValues: { ':k': { S: 'k' }, ...more.ExpressionAttributeValues },
  })

describe('a query with a placeholder that the library would also use', () => {
  it.each(Object.entries(QUERIES))('for %s works as on any other table', async (_name, { input, count }) => {
    await withItems(async ({ client, process }) => {
      const expected = await client.send(query('plain', input))
      expect(expected.Count).toBe(count)
      const { Count, Items } = await process().send(query('log', input))
      expect({ Count, Items }).toEqual({ Count: expected.Count, Items: expected.Items })
    })
  })
})
