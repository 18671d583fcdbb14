import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'
import { createTableOfThings, THING } from './things.behaviour.js'

/** The text of an error that needs no table. */
const counted = (message: string) =>
  message.startsWith('1 validation error detected: ') ? message : `1 validation error detected: ${message}`
const INVALID = 'One or more parameter values were invalid: '
const x = { S: 'x' }

describe('legacy parameters of a write', () => {
  let local: Local
  let client: DynamoDBClient
  beforeEach(async () => {
    await local?.close()
    local = createLocal()
    client = local.client({ maxAttempts: 1 })
    await createTableOfThings(client)
    await client.send(new PutItemCommand({ TableName: 'things', Item: THING }))
  })
  afterAll(() => local.close())

  // The SDK's types are narrower than what a client can send.
  const put = (more: object) =>
    client.send(new PutItemCommand({ TableName: 'things', Item: { ...THING, put: x }, ...more }))
  const update = (more: Partial<UpdateItemCommandInput>) =>
    client.send(new UpdateItemCommand({ TableName: 'things', Key: { pk: THING.pk, sk: THING.sk }, ...more }))
  const items = async () => (await client.send(new ScanCommand({ TableName: 'things' }))).Items

  it.each([
    ['its value', { a: { Value: { S: 'text' } } }],
    ['its value, and that it exists', { a: { Value: { S: 'text' }, Exists: true } }],
    ['that it does not exist', { none: { Exists: false } }],
    ['a comparison with its value', { a: { Value: { S: 'text' }, ComparisonOperator: 'EQ' } }],
    ['a comparison without values', { a: { ComparisonOperator: 'NOT_NULL' } }],
    ['nothing', {}],
  ])('accept for an attribute the expectation of %s', async (_, Expected) => {
    await put({ Expected })
    expect((await items())?.[0]).toHaveProperty('put')
  })

  it('fail, and return the item, when an expectation is not met', async () => {
    const refused = put({
      Expected: { a: { Value: { S: 'text' } }, n: { Exists: false } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    await expect(refused).rejects.toBeInstanceOf(ConditionalCheckFailedException)
    await expect(refused).rejects.toMatchObject({ message: 'The conditional request failed', Item: THING })
    expect(await items()).toEqual([THING])
  })

  it('accept one of several expectations joined by OR', async () => {
    const Expected = { a: { Value: { S: 'text' } }, n: { Exists: false } }
    await put({ Expected, ConditionalOperator: 'OR' })
    expect((await items())?.[0]).toHaveProperty('put')
  })

  it('may be as many as the engine accepts, which do not overflow the stack', async () => {
    const Expected = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`a${index}`, { Exists: false }]),
    )
    await put({ Expected })
    expect((await items())?.[0]).toHaveProperty('put')
  })

  it.each([
    [{ a: {} }, `${INVALID}Value must be provided when Exists is null for Attribute: a`],
    [{ a: { Exists: true } }, `${INVALID}Value must be provided when Exists is true for Attribute: a`],
    [
      { a: { Exists: false, Value: x } },
      `${INVALID}Value cannot be used when Exists is false for Attribute: a`,
    ],
    [
      { a: { Exists: false, ComparisonOperator: 'NULL' } },
      `${INVALID}Exists and ComparisonOperator cannot be used together for Attribute: a`,
    ],
    [
      { a: { Value: x, AttributeValueList: [x] } },
      `${INVALID}Value and AttributeValueList cannot be used together for Attribute: a`,
    ],
    [
      { a: { Value: x, AttributeValueList: [x], ComparisonOperator: 'EQ' } },
      `${INVALID}Value and AttributeValueList cannot be used together for Attribute: a`,
    ],
    [
      { a: { AttributeValueList: [x] } },
      `${INVALID}AttributeValueList can only be used with a ComparisonOperator for Attribute: a`,
    ],
    [
      { a: { ComparisonOperator: 'GT' } },
      `${INVALID}Value or AttributeValueList must be used with ComparisonOperator: GT for Attribute: a`,
    ],
    [
      { a: { ComparisonOperator: 'BETWEEN', Value: x } },
      `${INVALID}Invalid number of argument(s) for the BETWEEN ComparisonOperator`,
    ],
    [
      { a: { ComparisonOperator: 'NULL', AttributeValueList: [x] } },
      `${INVALID}Invalid number of argument(s) for the NULL ComparisonOperator`,
    ],
    [
      { a: { ComparisonOperator: 'IN', AttributeValueList: [] } },
      `${INVALID}Invalid number of argument(s) for the IN ComparisonOperator`,
    ],
    [
      { a: { ComparisonOperator: 'EQ', AttributeValueList: [x, x] } },
      `${INVALID}Invalid number of argument(s) for the EQ ComparisonOperator`,
    ],
    [
      { a: { ComparisonOperator: 'LT', Value: { BOOL: true } } },
      `${INVALID}ComparisonOperator LT is not valid for BOOL AttributeValue type`,
    ],
    [
      { a: { ComparisonOperator: 'BEGINS_WITH', Value: { N: '1' } } },
      `${INVALID}ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type`,
    ],
    [
      { a: { ComparisonOperator: 'NOT_CONTAINS', Value: { SS: ['x'] } } },
      `${INVALID}ComparisonOperator NOT_CONTAINS is not valid for SS AttributeValue type`,
    ],
    [
      { a: { ComparisonOperator: 'IN', AttributeValueList: [x, { N: '1' }] } },
      `${INVALID}AttributeValues inside AttributeValueList must be of same type`,
    ],
    [
      { a: { ComparisonOperator: 'BETWEEN', AttributeValueList: [{ N: '10' }, { N: '9' }] } },
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    ],
    [
      { a: { ComparisonOperator: 'LIKE', Value: x } },
      "1 validation error detected: Value 'LIKE' at 'expected.a.member.comparisonOperator' failed to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]",
    ],
    [
      { a: { Value: {} } },
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    ],
    [{ '': { Exists: false } }, 'Empty attribute name'],
  ])('reject the expectation %j', async (Expected, message) => {
    await expect(put({ Expected })).rejects.toMatchObject({
      name: 'ValidationException',
      message: counted(message),
    })
    expect(await items()).toEqual([THING])
  })

  const withoutConditions = 'ConditionalOperator cannot be used without Filter or Expected'
  it.each([
    [{ ConditionalOperator: 'AND' }, withoutConditions],
    [{ ConditionalOperator: 'AND', Expected: {} }, withoutConditions],
    [
      { ConditionalOperator: 'OR', Expected: { a: { Value: x } } },
      'ConditionalOperator can only be used when Filter or Expected has two or more elements',
    ],
    [
      { ConditionalOperator: 'XOR', Expected: { a: { Value: x }, b: { Value: x } } },
      'Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]',
    ],
    [
      { Expected: { a: { Value: x } }, ExpressionAttributeNames: { '#a': 'a' } },
      'ExpressionAttributeNames can only be specified when using expressions',
    ],
    [
      { ConditionalOperator: 'OR', ConditionExpression: 'attribute_exists(pk)' },
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {ConditionalOperator} Expression parameters: {ConditionExpression}',
    ],
  ])('reject the combination %j', async (more, message) => {
    await expect(put(more)).rejects.toMatchObject({ name: 'ValidationException', message: counted(message) })
  })

  it('of an update cannot be combined with its expressions', async () => {
    const both = update({
      AttributeUpdates: { a: { Value: x } },
      Expected: { a: { Value: x } },
      ConditionalOperator: 'AND',
      UpdateExpression: 'REMOVE a',
      ConditionExpression: 'attribute_exists(pk)',
    })
    await expect(both).rejects.toThrow(
      'Non-expression parameters: {AttributeUpdates, Expected, ConditionalOperator} Expression parameters: {UpdateExpression, ConditionExpression}',
    )
  })

  it('put, add to, take from and remove attributes', async () => {
    const { Attributes } = await update({
      AttributeUpdates: {
        a: { Value: x },
        n: { Action: 'ADD', Value: { N: '-7' } },
        texts: { Action: 'DELETE', Value: { SS: ['one'] } },
        lots: { Action: 'ADD', Value: { L: [x] } },
        flag: { Action: 'DELETE' },
        'a.b': { Action: 'PUT', Value: x },
      },
      ReturnValues: 'UPDATED_NEW',
    })
    expect(Attributes).toEqual({
      a: x,
      n: { N: '-2' },
      texts: { SS: ['two'] },
      lots: { L: [{ N: '1' }, x] },
      'a.b': x,
    })
    expect((await items())?.[0]).not.toHaveProperty('flag')
  })

  it.each([
    [{ a: {} }, counted(`${INVALID}Only DELETE action is allowed when no attribute value is specified`)],
    [
      { a: { Action: 'ADD' } },
      counted(`${INVALID}Only DELETE action is allowed when no attribute value is specified`),
    ],
    [{ a: { Action: 'ADD', Value: x } }, counted(`${INVALID}ADD action is not supported for the type S`)],
    [
      { a: { Action: 'DELETE', Value: { L: [] } } },
      counted(`${INVALID}DELETE action with value is not supported for the type L`),
    ],
    [{ a: { Action: 'ADD', Value: { N: '1' } } }, 'Type mismatch for attribute to update'],
    [{ n: { Action: 'ADD', Value: { L: [] } } }, 'Type mismatch for attribute to update'],
    [{ texts: { Action: 'DELETE', Value: { NS: ['1'] } } }, 'Type mismatch for attribute to update'],
    [
      { sk: { Value: { N: '2' } } },
      `${INVALID}Cannot update attribute sk. This attribute is part of the key`,
    ],
    [
      { g: { Value: { N: '1' } } },
      `${INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: by_g`,
    ],
    [
      { a: { Action: 'SET', Value: x } },
      "1 validation error detected: Value 'SET' at 'attributeUpdates.a.member.action' failed to satisfy constraint: Member must satisfy enum value set: [ADD, DELETE, PUT]",
    ],
    [{ '': { Value: x } }, counted('Empty attribute name')],
  ])('reject the update %j', async (AttributeUpdates, message) => {
    const updating = update({
      AttributeUpdates: AttributeUpdates as UpdateItemCommandInput['AttributeUpdates'],
    })
    await expect(updating).rejects.toMatchObject({ name: 'ValidationException', message })
    expect(await items()).toEqual([THING])
  })
})
