import {
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'

describe('of a read with two mistakes', () => {
  let local: Local
  let client: DynamoDBClient
  const TableName = 'ordered'
  beforeAll(async () => {
    local = createLocal()
    client = local.client({ maxAttempts: 1 })
    await client.send(createTable(TableName, ['pk']))
  })
  afterAll(() => local.close())

  it.each<[string, Partial<QueryCommandInput>, string]>([
    [
      'the filter is checked before the key condition',
      { FilterExpression: 'a == b' },
      'Invalid FilterExpression',
    ],
    [
      'the projection is checked before the key condition',
      { ProjectionExpression: 'a, a' },
      'Invalid ProjectionExpression',
    ],
    ['the key condition is checked when it is alone', {}, 'Invalid KeyConditionExpression'],
  ])('%s', async (_, more, text) => {
    const ExpressionAttributeValues = { ':p': { S: 'p' } }
    const query = { TableName, KeyConditionExpression: 'pk == :p', ExpressionAttributeValues, ...more }
    await expect(client.send(new QueryCommand(query))).rejects.toThrow(text)
  })

  it.each([
    ['a table that does not exist', { TableName: 'nowhere' }],
    ['a key condition that does not fit the table', { KeyConditionExpression: 'elsewhere = :p' }],
    [
      'more conditions than the key has attributes',
      { KeyConditionExpression: 'pk = :p AND a = :p AND b = :p' },
    ],
  ])('a placeholder without use is refused before %s', async (_, more) => {
    const ExpressionAttributeValues = { ':p': { S: 'p' }, ':unused': { S: 'p' } }
    const query = { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues, ...more }
    await expect(client.send(new QueryCommand(query))).rejects.toThrow('unused in expressions')
  })

  it('the filter is checked before the segment', async () => {
    const scan = new ScanCommand({ TableName, FilterExpression: 'a == b', Segment: 5, TotalSegments: 4 })
    await expect(client.send(scan)).rejects.toThrow('Invalid FilterExpression')
  })
})
