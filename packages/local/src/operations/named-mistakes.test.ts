import { table } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'

const INVALID = 'ValidationException: One or more parameter values were invalid: '
const ARN = 'arn:aws:dynamodb:eu-central-1:000000000000:table/orders'

const orders = table('orders', ['pk'])
const named = (name: string) => ({ AttributeName: name, AttributeType: 'S' })
const index = (NonKeyAttributes: readonly string[]) => ({
  IndexName: 'by_a',
  KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes },
})

describe('a mistake is named', () => {
  it.each<readonly [what: string, operation: string, input: object, text: string]>([
    [
      'a malformed ARN of a stream',
      'DescribeStream',
      { StreamArn: `x${'x'.repeat(40)}` },
      `ValidationException: 1 validation error detected: Invalid StreamArn 'x${'x'.repeat(40)}'`,
    ],
    [
      'a malformed ARN of a shard iterator',
      'GetShardIterator',
      {
        StreamArn: `y${'x'.repeat(40)}`,
        ShardId: `shardId-${'0'.repeat(20)}`,
        ShardIteratorType: 'LATEST',
      },
      `ValidationException: 1 validation error detected: Invalid StreamArn 'y${'x'.repeat(40)}'`,
    ],
    [
      'a malformed ARN of tags',
      'ListTagsOfResource',
      { ResourceArn: 'nope' },
      `${INVALID}ARNs must start with 'arn:': nope`,
    ],
    [
      'a character that a tag cannot have',
      'TagResource',
      { ResourceArn: ARN, Tags: [{ Key: 'a*', Value: 'b' }] },
      'ValidationException: The Tag Key provided is invalid, Key: a*',
    ],
    [
      'an attribute that is defined twice',
      'CreateTable',
      { ...orders, TableName: 'more', AttributeDefinitions: [named('pk'), named('pk')] },
      'ValidationException: Attribute Name is duplicated: pk',
    ],
    [
      'an attribute that is projected twice',
      'CreateTable',
      {
        ...orders,
        TableName: 'more',
        AttributeDefinitions: [named('pk'), named('a')],
        GlobalSecondaryIndexes: [index(['b', 'c', 'b'])],
      },
      `${INVALID}Duplicate element in NonKeyAttributes: b`,
    ],
  ])('%s', (_, operation, input, text) => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', orders)
    expect(fixture.failure(operation, input)).toBe(text)
  })
})

describe('a query of a table without a sort key', () => {
  const query = (start: string) => ({
    TableName: 'orders',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'a' } },
    ExclusiveStartKey: { pk: { S: start } },
  })

  it('has nothing left behind its only item', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', orders)
    fixture.ask('PutItem', { TableName: 'orders', Item: { pk: { S: 'a' } } })
    expect(fixture.ask('Query', query('a'))).toMatchObject({ Count: 0, Items: [] })
  })

  it('refuses to start at another key', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', orders)
    expect(fixture.failure('Query', query('b'))).toContain(
      'The provided starting key is outside query boundaries',
    )
  })
})

it('DeleteTable describes less than DescribeTable', () => {
  const fixture = new EngineFixture()
  fixture.ask('CreateTable', orders)
  const { TableDescription: deleted } = fixture.ask('DeleteTable', { TableName: 'orders' })
  expect(Object.keys(deleted).sort()).toEqual([
    'BillingModeSummary',
    'DeletionProtectionEnabled',
    'ItemCount',
    'ProvisionedThroughput',
    'TableArn',
    'TableId',
    'TableName',
    'TableSizeBytes',
    'TableStatus',
  ])
})
