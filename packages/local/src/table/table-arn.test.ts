import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'

const ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/things'
const key = { pk: { S: 'p' } }

describe("a table's ARN", () => {
  let local: Local
  let client: DynamoDBClient
  beforeEach(async () => {
    await local?.close()
    local = createLocal({ region: 'us-east-1' })
    client = local.client({ maxAttempts: 1 })
    await client.send(table('things'))
  })
  afterAll(() => local.close())

  const table = (TableName: string) => createTable(TableName, ['pk'])
  const get = (TableName: string) => client.send(new GetItemCommand({ TableName, Key: key }))

  it('replaces its name in requests for items, and their capacity is reported under it', async () => {
    const ReturnConsumedCapacity = 'TOTAL'
    const put = new PutItemCommand({ TableName: ARN, Item: key, ReturnConsumedCapacity })
    expect((await client.send(put)).ConsumedCapacity).toEqual({ TableName: ARN, CapacityUnits: 1 })
    expect((await get('things')).Item).toEqual(key)
    const scan = new ScanCommand({ TableName: ARN, ReturnConsumedCapacity })
    expect(await client.send(scan)).toMatchObject({ Count: 1, ConsumedCapacity: { TableName: ARN } })
    const batch = new BatchGetItemCommand({
      RequestItems: { [ARN]: { Keys: [key] } },
      ReturnConsumedCapacity,
    })
    expect(await client.send(batch)).toMatchObject({
      Responses: { [ARN]: [key] },
      ConsumedCapacity: [{ TableName: ARN }],
    })
  })

  it('and its name are the same table in a batch', async () => {
    const write = [{ PutRequest: { Item: key } }]
    const twice = new BatchWriteItemCommand({ RequestItems: { [ARN]: write, things: write } })
    await expect(client.send(twice)).rejects.toThrow('Provided list of item keys contains duplicates')
  })

  it('replaces its name in requests for the table', async () => {
    const ProvisionedThroughput = { ReadCapacityUnits: 3, WriteCapacityUnits: 3 }
    await client.send(
      new UpdateTableCommand({ TableName: ARN, BillingMode: 'PROVISIONED', ProvisionedThroughput }),
    )
    const { Table } = await client.send(new DescribeTableCommand({ TableName: ARN }))
    expect(Table).toMatchObject({ TableName: 'things', TableArn: ARN, ProvisionedThroughput })
    await client.send(new DeleteTableCommand({ TableName: ARN }))
    await expect(client.send(new DescribeTableCommand({ TableName: ARN }))).rejects.toThrow(
      'Requested resource not found: Table: things not found',
    )
  })

  it('is not a valid name for a new table', async () => {
    await expect(client.send(table(ARN))).rejects.toThrow('Member must satisfy regular expression pattern')
  })

  it('of another region is rejected, and of another account is not found', async () => {
    const abroad = ARN.replace('us-east-1', 'eu-west-1')
    await expect(get(abroad)).rejects.toMatchObject({
      name: 'ValidationException',
      message: `1 validation error detected: Invalid AWS region in '${abroad}'`,
    })
    await expect(get(ARN.replace('000000000000', '123456789012'))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
    await expect(get(`${ARN}2`)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })

  it.each([
    'arn:',
    'arn:aws:s3:us-east-1:000000000000:table/things',
    'arn:aws:dynamodb:us-east-1:000000000000:stream/things',
    'arn:aws:dynamodb:us-east-1:000000000000:table/things/index/by_g',
    'arn:aws:dynamodb:us-east-1:000000000000:table/ab',
    'arn:aws:dynamodb:us-east-1:1:table/things',
  ])('is not %s', async (name) => {
    await expect(get(name)).rejects.toMatchObject({
      name: 'ValidationException',
      message: `1 validation error detected: Value '${name}' at 'tableName' failed to satisfy constraint: Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', where Resource name must have length less than or equal to 255, Resource name must have length greater than or equal to 3, Resource name must satisfy regular expression pattern: [a-zA-Z0-9_.-]+`,
    })
  })

  it('or a name determines the order of a batch', async () => {
    const batch = new BatchGetItemCommand({
      RequestItems: { 'arn:': { Keys: [key] }, things: { Keys: [key] } },
    })
    await expect(client.send(batch)).rejects.toMatchObject({
      name: 'ValidationException',
      message: `1 validation error detected: Value '{"arn:":{"Keys":[{"pk":{"S":"p"}}]},"things":{"Keys":[{"pk":{"S":"p"}}]}}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]`,
    })
  })

  it('is not longer than 1,024 characters', async () => {
    await expect(get(`arn:${'x'.repeat(1021)}`)).rejects.toThrow(
      'Member must have length less than or equal to 1024',
    )
  })
})
