import { table } from '@isotherm/fixtures'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../errors/service-error.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import { Engine } from './engine.js'

const REGION = 'us-east-1'
const key = { pk: { S: 'a' }, sk: { N: '1' } }
const item = {
  ...key,
  g: { S: 'x' },
  list: { L: [{ M: { set: { SS: ['x'] } } }, { B: 'AQI=' }] },
  n: { N: '5' },
}
const tableNamed = (name: string) =>
  table(name, ['pk', 'sk:N'], { global: { gsi: { key: ['g'], projected: ['n'] } } })
const throughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }

/** A request of each operation that uses nearly all of its members. */
const REQUESTS: readonly (readonly [string, object])[] = [
  ['CreateTable', tableNamed('other')],
  ['DescribeTable', { TableName: 'things' }],
  ['ListTables', { Limit: 3, ExclusiveStartTableName: 'aaa' }],
  [
    'UpdateTable',
    {
      TableName: 'things',
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: throughput,
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'gsi', ProvisionedThroughput: throughput } }],
    },
  ],
  [
    'PutItem',
    {
      TableName: 'things',
      Item: item,
      ConditionExpression: 'attribute_exists(pk) OR n < :v',
      ExpressionAttributeValues: { ':v': { N: '3' } },
      ReturnValues: 'ALL_OLD',
      ReturnConsumedCapacity: 'INDEXES',
    },
  ],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        {
          Update: {
            TableName: 'things',
            Key: key,
            UpdateExpression: 'SET n = :v',
            ConditionExpression: '#n > :v',
            ExpressionAttributeNames: { '#n': 'n' },
            ExpressionAttributeValues: { ':v': { N: '3' } },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        { Put: { TableName: 'things', Item: { ...item, pk: { S: 'another' } } } },
      ],
      ClientRequestToken: 'token',
      ReturnConsumedCapacity: 'INDEXES',
    },
  ],
  [
    'TransactGetItems',
    { TransactItems: [{ Get: { TableName: 'things', Key: key, ProjectionExpression: 'n' } }] },
  ],
  [
    'UpdateItem',
    {
      TableName: 'things',
      Key: key,
      UpdateExpression: 'SET #n = #n + :v, list[0].b = :s REMOVE list[1] ADD z :v',
      ExpressionAttributeNames: { '#n': 'n' },
      ExpressionAttributeValues: { ':v': { N: '3' }, ':s': { SS: ['q'] } },
      ReturnValues: 'UPDATED_NEW',
    },
  ],
  ['DeleteItem', { TableName: 'things', Key: key, ReturnValues: 'ALL_OLD' }],
  [
    'UpdateItem',
    {
      TableName: 'arn:aws:dynamodb:us-east-1:000000000000:table/things',
      Key: key,
      AttributeUpdates: {
        n: { Action: 'ADD', Value: { N: '1' } },
        list: { Action: 'ADD', Value: { L: [] } },
        z: { Value: { S: 'x' } },
      },
      Expected: {
        n: { ComparisonOperator: 'IN', AttributeValueList: [{ N: '5' }, { N: '6' }] },
        q: { Exists: false },
      },
      ConditionalOperator: 'OR',
    },
  ],
  [
    'Query',
    {
      TableName: 'things',
      KeyConditions: {
        pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] },
        sk: { ComparisonOperator: 'BETWEEN', AttributeValueList: [{ N: '0' }, { N: '9' }] },
      },
      QueryFilter: { n: { ComparisonOperator: 'NOT_NULL' } },
      AttributesToGet: ['n', 'g'],
    },
  ],
  [
    'GetItem',
    {
      TableName: 'things',
      Key: key,
      ProjectionExpression: 'a[0].b, #n',
      ExpressionAttributeNames: { '#n': 'n' },
    },
  ],
  [
    'Query',
    {
      TableName: 'things',
      KeyConditionExpression: 'pk = :p AND sk BETWEEN :a AND :b',
      FilterExpression: 'contains(list, :p) OR size(g) > :a',
      ExpressionAttributeValues: { ':p': { S: 'a' }, ':a': { N: '0' }, ':b': { N: '9' } },
      ExclusiveStartKey: { pk: { S: 'a' }, sk: { N: '0' } },
      Limit: 3,
    },
  ],
  [
    'Scan',
    {
      TableName: 'things',
      IndexName: 'gsi',
      Segment: 0,
      TotalSegments: 2,
      ExclusiveStartKey: { ...key, g: { S: 'x' } },
      FilterExpression: 'NOT n = :q',
      ExpressionAttributeValues: { ':q': { L: [] } },
    },
  ],
  [
    'BatchWriteItem',
    { RequestItems: { things: [{ PutRequest: { Item: item } }, { DeleteRequest: { Key: key } }] } },
  ],
  [
    'BatchGetItem',
    { RequestItems: { things: { Keys: [key], ProjectionExpression: 'n', ConsistentRead: true } } },
  ],
]

const junk = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    Number.POSITIVE_INFINITY,
    '__proto__',
    'constructor',
    'a.b[',
    '\ud800',
    { S: null },
    { N: '1e9999' },
    { L: [null] },
    { B: '@@' },
    { BS: ['AA==', 'AA=='] },
    JSON.parse('{"__proto__":{"S":"x"}}'),
    new Array(2),
  ),
)

/** Every path inside a request, as the list of its members. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))
  return path.length === 0 ? below : [path, ...below]
}

function broken(request: object, path: readonly string[], value: unknown): object {
  const copy = structuredClone(request)
  let inner: unknown = copy
  for (const name of path.slice(0, -1)) inner = (inner as Record<string, unknown>)[name]
  const last = path.at(-1) ?? ''
  if (value === undefined) delete (inner as Record<string, unknown>)[last]
  else (inner as Record<string, unknown>)[last] = value
  return copy
}

describe('any request', () => {
  it('is answered, or rejected with an error of the service, and never crashes the engine', async () => {
    const clock = new VirtualClock()
    const engine = new Engine({
      storage: new MemoryStorage(),
      clock,
      random: new SeededRandom(1),
      capacity: {},
      throttle: false,
      onPartitionEvent() {},
      // Virtual time does not advance here, so nothing may wait for it.
      transactionMilliseconds: 0,
      stopwatch: clock,
    })
    engine.execute('CreateTable', tableNamed('things'), REGION)
    const request = fc.constantFrom(...REQUESTS).chain(([operation, input]) =>
      fc.record({
        operation: fc.constant(operation),
        input: fc
          .tuple(fc.constantFrom(...placesIn(input)), fc.option(junk, { nil: undefined }))
          .map(([path, value]) => broken(input, path, value)),
      }),
    )
    await fc.assert(
      fc.asyncProperty(request, async ({ operation, input }) => {
        const before = JSON.stringify(input)
        try {
          await engine.execute(operation, input, REGION)
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError)
          expect((error as ServiceError).httpStatus).toBe(400)
        }
        expect(JSON.stringify(input)).toBe(before)
      }),
      { numRuns: 4000 },
    )
    expect(({} as { S?: unknown }).S).toBeUndefined()
  })
})
