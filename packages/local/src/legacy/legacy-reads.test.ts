import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'
import { createTableOfThings, THING } from './things.behaviour.js'

const INVALID = 'One or more parameter values were invalid: '
const MIXED = 'Can not use both expression and non-expression parameters in the same request: '
const equal = (value: object) => ({ ComparisonOperator: 'EQ', AttributeValueList: [value] })
const p = { pk: equal({ S: 'p' }) }

describe('legacy parameters of a read', () => {
  let local: Local
  let client: DynamoDBClient
  beforeAll(async () => {
    local = createLocal()
    client = local.client({ maxAttempts: 1 })
    await createTableOfThings(client)
    for (const sk of ['1', '2', '3']) {
      await client.send(new PutItemCommand({ TableName: 'things', Item: { ...THING, sk: { N: sk } } }))
    }
  })
  afterAll(() => local.close())

  // Tests may send requests that the SDK's types forbid.
  const query = (more: object) =>
    client.send(new QueryCommand({ TableName: 'things', ...more } as QueryCommandInput))
  const scan = (more: object) =>
    client.send(new ScanCommand({ TableName: 'things', ...more } as ScanCommandInput))
  const KeyConditions = p

  it('query a key, and an index', async () => {
    const sk = { ComparisonOperator: 'BETWEEN', AttributeValueList: [{ N: '2' }, { N: '9' }] }
    expect(await query({ KeyConditions: { ...p, sk }, ScanIndexForward: false })).toMatchObject({
      Items: [{ sk: { N: '3' } }, { sk: { N: '2' } }],
      Count: 2,
    })
    const byIndex = await query({
      KeyConditions: { g: equal({ S: 'g' }) },
      IndexName: 'by_g',
      Select: 'COUNT',
    })
    expect(byIndex).toMatchObject({ Count: 3, ScannedCount: 3 })
  })

  it('filter the results of queries and scans', async () => {
    const filter = {
      n: { ComparisonOperator: 'GT', AttributeValueList: [{ N: '9' }] },
      a: { ComparisonOperator: 'BEGINS_WITH', AttributeValueList: [{ S: 'te' }] },
    }
    expect(await query({ KeyConditions, QueryFilter: filter })).toMatchObject({ Count: 0, ScannedCount: 3 })
    const either = { ConditionalOperator: 'OR', QueryFilter: filter }
    expect(await query({ KeyConditions, ...either })).toMatchObject({ Count: 3, ScannedCount: 3 })
    const sk = { ComparisonOperator: 'NE', AttributeValueList: [{ N: '2' }] }
    expect(await scan({ ScanFilter: { sk } })).toMatchObject({ Count: 2, ScannedCount: 3 })
  })

  it('combine KeyConditions with every expression except its own successor', async () => {
    const filtered = query({
      KeyConditions,
      FilterExpression: 'n = :n',
      ProjectionExpression: 'sk',
      ExpressionAttributeValues: { ':n': { N: '5' } },
      Limit: 1,
    })
    expect((await filtered).Items).toEqual([{ sk: { N: '1' } }])
  })

  it('return whole attributes, and treat dots in names literally', async () => {
    const Key = { pk: THING.pk, sk: THING.sk }
    const AttributesToGet = ['n', 'lots[0]', 'none']
    const got = await client.send(new GetItemCommand({ TableName: 'things', Key, AttributesToGet }))
    expect(got.Item).toEqual({ n: THING.n })
    const batch = { things: { Keys: [Key], AttributesToGet: ['a'] } }
    const { Responses } = await client.send(new BatchGetItemCommand({ RequestItems: batch }))
    expect(Responses).toEqual({ things: [{ a: THING.a }] })
    expect((await query({ KeyConditions, AttributesToGet: ['sk'] })).Items).toHaveLength(3)
    expect((await scan({ AttributesToGet: ['sk'], Limit: 1 })).Items).toEqual([{ sk: { N: '1' } }])
  })

  it.each([
    [{}, 'Conditions can be of length 1 or 2 only'],
    [{ ...p, sk: equal({ N: '1' }), a: equal({ N: '1' }) }, 'Conditions can be of length 1 or 2 only'],
    [{ sk: equal({ N: '1' }) }, 'Query condition missed key schema element: pk'],
    [{ a: equal({ N: '1' }), b: equal({ N: '1' }) }, 'Query condition missed key schema element: pk'],
    [{ ...p, a: equal({ BOOL: true }) }, 'Query condition missed key schema element: sk'],
    [
      { pk: { ComparisonOperator: 'GT', AttributeValueList: [{ S: 'p' }] } },
      'Query key condition not supported',
    ],
    [
      { ...p, sk: { ComparisonOperator: 'NE', AttributeValueList: [{ N: '1' }] } },
      'Attempted conditional constraint is not an indexable operation',
    ],
    [
      { ...p, sk: { ComparisonOperator: 'NOT_NULL' } },
      'Attempted conditional constraint is not an indexable operation',
    ],
    [{ pk: equal({ N: '1' }) }, `${INVALID}Condition parameter type does not match schema type`],
    [{ pk: equal({ L: [] }) }, `${INVALID}Condition parameter type does not match schema type`],
    [
      { pk: equal({ S: '' }) },
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
    [
      { pk: { ComparisonOperator: 'EQ' } },
      `${INVALID}Invalid number of argument(s) for the EQ ComparisonOperator`,
    ],
    [
      { pk: { AttributeValueList: [{ S: 'p' }] } },
      "1 validation error detected: Value null at 'keyConditions.pk.member.comparisonOperator' failed to satisfy constraint: Member must not be null",
    ],
  ])('reject a query by %j', async (conditions, message) => {
    const querying = query({ KeyConditions: conditions })
    await expect(querying).rejects.toMatchObject({ name: 'ValidationException', message })
  })

  it('reject a second condition on a key that has one attribute', async () => {
    const two = query({ IndexName: 'by_g', KeyConditions: { g: equal({ S: 'g' }), n: equal({ N: '5' }) } })
    await expect(two).rejects.toThrow('Query key condition not supported')
  })

  it.each([
    [{}, 'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.'],
    [
      { KeyConditions, QueryFilter: { sk: equal({ N: '1' }) } },
      'QueryFilter can only contain non-primary key attributes: Primary key attribute: sk',
    ],
    [
      { KeyConditions, QueryFilter: { a: { ComparisonOperator: 'EQ' } } },
      `${INVALID}Invalid number of argument(s) for the EQ ComparisonOperator`,
    ],
    [
      { KeyConditions: { ...p, sk: equal({ N: '1' }) }, ConditionalOperator: 'OR' },
      'ConditionalOperator cannot be used without Filter or Expected',
    ],
    [
      { KeyConditions, QueryFilter: { a: equal({ S: 'x' }) }, ConditionalOperator: 'OR' },
      'ConditionalOperator can only be used when Filter or Expected has two or more elements',
    ],
    [{ KeyConditions, AttributesToGet: ['a', 'b', 'a'] }, `${INVALID}Duplicate value in attribute name: a`],
    [
      { KeyConditions, AttributesToGet: [] },
      "1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
    [{ KeyConditions, AttributesToGet: [''] }, 'Empty attribute name'],
    [
      { KeyConditions, AttributesToGet: ['a'], Select: 'COUNT' },
      'Cannot specify the AttributesToGet when choosing to get only the Count',
    ],
    [
      { KeyConditions, Select: 'SPECIFIC_ATTRIBUTES' },
      '1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    ],
    [
      { KeyConditions, Limit: 0 },
      "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    ],
    [
      {
        KeyConditions,
        QueryFilter: { a: equal({ S: 'x' }) },
        ConditionalOperator: 'AND',
        AttributesToGet: ['a'],
        KeyConditionExpression: 'pk = :p',
        FilterExpression: 'a = :a',
        ProjectionExpression: 'a',
      },
      `${MIXED}Non-expression parameters: {AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions} Expression parameters: {ProjectionExpression, FilterExpression, KeyConditionExpression}`,
    ],
  ])('reject a query with %j', async (more, message) => {
    await expect(query(more)).rejects.toMatchObject({ name: 'ValidationException', message })
  })

  it.each([
    [
      {
        ScanFilter: { a: equal({ S: 'x' }) },
        AttributesToGet: ['a'],
        ProjectionExpression: 'a',
        FilterExpression: 'a',
      },
      `${MIXED}Non-expression parameters: {AttributesToGet, ScanFilter} Expression parameters: {ProjectionExpression, FilterExpression}`,
    ],
    [{ ConditionalOperator: 'OR' }, 'ConditionalOperator cannot be used without Filter or Expected'],
    [
      { ScanFilter: { a: { ComparisonOperator: 'IN', AttributeValueList: [{ SS: ['x'] }] } }, Segment: 1 },
      `${INVALID}ComparisonOperator IN is not valid for SS AttributeValue type`,
    ],
    [{ AttributesToGet: ['a', 'a'], Segment: 1 }, `${INVALID}Duplicate value in attribute name: a`],
  ])('reject a scan with %j', async (more, message) => {
    await expect(scan(more)).rejects.toMatchObject({ name: 'ValidationException', message })
  })

  it('reject a get that also has an expression', async () => {
    const both = { Key: { pk: THING.pk, sk: THING.sk }, AttributesToGet: ['a'], ProjectionExpression: 'a' }
    await expect(client.send(new GetItemCommand({ TableName: 'things', ...both }))).rejects.toThrow(
      `${MIXED}Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}`,
    )
  })

  const KeyByIndex = { IndexName: 'few_by_g', KeyConditions: { g: equal({ S: 'g' }) } }
  it('return the attributes that an index holds', async () => {
    const held = query({ ...KeyByIndex, AttributesToGet: ['pk', 'n'], QueryFilter: { n: equal({ N: '5' }) } })
    expect((await held).Items?.[0]).toEqual({ pk: THING.pk, n: THING.n })
    const scanned = scan({ IndexName: 'few_by_g', ScanFilter: { a: equal({ S: 'text' }) } })
    expect(await scanned).toMatchObject({ Count: 0, ScannedCount: 3 })
  })

  it.each([
    ['query', 'p', { KeyConditions }, 'The provided starting key is invalid'],
    ['scan', 'p', {}, 'The provided starting key is invalid'],
    ['query', 'an index', KeyByIndex, 'The provided starting key is invalid'],
    ['scan', 'an index', { IndexName: 'by_g' }, 'The provided starting key is invalid'],
  ])('accept only its own keys as the start of a %s of %s', async (operation, _, more, message) => {
    const ask = operation === 'query' ? query : scan
    const { pk, sk, g, a } = THING
    for (const ExclusiveStartKey of [{ pk }, { pk, sk: a }, { pk, sk, g, a }, { g, pk }, {}]) {
      await expect(ask({ ...more, ExclusiveStartKey })).rejects.toMatchObject({ message })
    }
  })

  it('reject attributes that an index does not hold', async () => {
    const projected = `${INVALID}Global secondary index few_by_g does not project [a, lots]`
    const AttributesToGet = ['n', 'lots', 'a']
    await expect(query({ ...KeyByIndex, AttributesToGet })).rejects.toThrow(projected)
    await expect(scan({ IndexName: 'few_by_g', ProjectionExpression: 'lots[0], a, n' })).rejects.toThrow(
      projected,
    )
    await expect(query({ ...KeyByIndex, QueryFilter: { a: equal({ S: 'text' }) } })).rejects.toThrow(
      `${INVALID}Secondary index few_by_g does not project one or more filter attributes: [a]`,
    )
  })
})
