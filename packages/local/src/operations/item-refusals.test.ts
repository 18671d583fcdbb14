import {
  type DynamoDBClient,
  GetItemCommand,
  type GetItemCommandInput,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTableOfThings, THING } from '../legacy/things.behaviour.js'
import { createLocal, type Local } from '../local.js'

const INVALID = 'One or more parameter values were invalid: '
const NO_PATH = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
const TableName = 'things'
const Key = { pk: THING.pk, sk: THING.sk }

describe('a request for items is rejected', () => {
  let local: Local
  let client: DynamoDBClient
  beforeAll(async () => {
    local = createLocal()
    client = local.client({ maxAttempts: 1 })
    await createTableOfThings(client)
    await client.send(new PutItemCommand({ TableName, Item: THING }))
  })
  afterAll(() => local.close())

  const values = { ExpressionAttributeValues: { ':v': { S: 'v' } } }

  it.each([
    [
      'a projection',
      () => client.send(new GetItemCommand({ TableName, Key, ProjectionExpression: 'pk.a' })),
      'Key: pk',
    ],
    [
      "a scan's projection",
      () => client.send(new ScanCommand({ TableName, ProjectionExpression: 'a, g[0]' })),
      'IndexKey: g',
    ],
    [
      "a scan's filter",
      () =>
        client.send(new ScanCommand({ TableName, FilterExpression: 'a = :v OR size(sk.a) = :v', ...values })),
      'Key: sk',
    ],
    [
      "a query's filter",
      () =>
        client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'pk = :v',
            FilterExpression: 'attribute_exists(g.a)',
            ...values,
          }),
        ),
      'IndexKey: g',
    ],
    [
      'a condition',
      () =>
        client.send(
          new PutItemCommand({ TableName, Item: THING, ConditionExpression: 'NOT pk[0] = :v', ...values }),
        ),
      'Key: pk',
    ],
    [
      'an update',
      () =>
        client.send(new UpdateItemCommand({ TableName, Key, UpdateExpression: 'SET g.a = :v', ...values })),
      'IndexKey: g',
    ],
    [
      'what an update reads',
      () => client.send(new UpdateItemCommand({ TableName, Key, UpdateExpression: 'SET a = sk.b' })),
      'Key: sk',
    ],
  ])('when %s has a path into a key', async (_, send, which) => {
    await expect(send()).rejects.toMatchObject({ name: 'ValidationException', message: `${NO_PATH}${which}` })
  })

  it.each([
    [{ SS: ['b', 'a', 'b', 'A'] }, `${INVALID}Input collection ["a", "b", "b", "A"] contains duplicates.`],
    [
      { BS: [Uint8Array.of(255), Uint8Array.of(0), Uint8Array.of(0)] },
      `${INVALID}Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.`,
    ],
    [{ NS: ['2', '1', '2.0'] }, `${INVALID}Input collection contains duplicates.`],
  ])('when a set holds a member twice: %j', async (set, message) => {
    const put = new PutItemCommand({ TableName, Item: { ...Key, set } })
    await expect(client.send(put)).rejects.toMatchObject({
      name: 'ValidationException',
      message: `1 validation error detected: ${message}`,
    })
  })

  it('when it has values without an expression that uses them', async () => {
    const scan = client.send(new ScanCommand({ TableName, ProjectionExpression: 'a', ...values }))
    await expect(scan).rejects.toThrow(
      'ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null',
    )
    const query = client.send(new QueryCommand({ TableName, ...values }))
    await expect(query).rejects.toThrow('FilterExpression and KeyConditionExpression are null')
    const get = { TableName, Key, ...values } as GetItemCommandInput
    expect((await client.send(new GetItemCommand(get))).Item).toEqual(THING)
  })

  it('by a scan with the name of the invalid value', async () => {
    const ExpressionAttributeValues = { ':v': { N: 'x' } }
    const scan = new ScanCommand({ TableName, FilterExpression: 'a = :v', ExpressionAttributeValues })
    await expect(client.send(scan)).rejects.toThrow(
      'ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :v',
    )
    const query = new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :v',
      ExpressionAttributeValues,
    })
    await expect(client.send(query)).rejects.toMatchObject({
      message: 'The parameter cannot be converted to a numeric value: x',
    })
  })

  it('when a name is longer than 64 KB', async () => {
    const put = (name: string) =>
      client.send(new PutItemCommand({ TableName, Item: { ...Key, [name]: { S: '' } } }))
    await expect(put('é'.repeat(32_768))).rejects.toThrow(
      'Attribute name is too large, must be less than 65536 bytes',
    )
    await put('é'.repeat(32_767))
  })
})
