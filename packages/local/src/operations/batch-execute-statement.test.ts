import {
  BatchExecuteStatementCommand,
  type BatchStatementRequest,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'

let local: Local
let client: DynamoDBClient

beforeEach(async () => {
  const capacity = { partitionWriteUnitsPerSecond: 4, onDemandPartitions: 1 }
  local = createLocal({ clock: new VirtualClock(1_800_000_000_000), capacity })
  client = local.client({ maxAttempts: 1 })
  await client.send(createTable('log', ['pk']))
  await client.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'a' }, v: { N: '1' } } }))
})

afterEach(async () => {
  client.destroy()
  await local.close()
})

type Statement = string | BatchStatementRequest

function batch(...statements: Statement[]) {
  return client.send(
    new BatchExecuteStatementCommand({
      Statements: statements.map((each) => (typeof each === 'string' ? { Statement: each } : each)),
      ReturnConsumedCapacity: 'TOTAL',
    }),
  )
}

describe('BatchExecuteStatement', () => {
  it('reads items by their keys', async () => {
    const { Responses, ConsumedCapacity } = await batch(`SELECT v FROM log WHERE pk = 'a'`, {
      Statement: 'SELECT * FROM log WHERE pk = ?',
      Parameters: [{ S: 'none' }],
      ConsistentRead: true,
    })
    expect(Responses).toEqual([{ TableName: 'log', Item: { v: { N: '1' } } }, { TableName: 'log' }])
    expect(ConsumedCapacity).toEqual([{ TableName: 'log', CapacityUnits: 1.5 }])
  })

  it('writes, and returns the items that each statement requests', async () => {
    const { Responses, ConsumedCapacity } = await batch(
      `INSERT INTO log VALUE {'pk': 'b'}`,
      `UPDATE log SET v = v + 1 WHERE pk = 'a' RETURNING MODIFIED NEW *`,
    )
    expect(Responses).toEqual([{ TableName: 'log' }, { TableName: 'log', Item: { v: { N: '2' } } }])
    expect(ConsumedCapacity).toEqual([{ TableName: 'log', CapacityUnits: 2 }])
    const { Item } = await client.send(new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'b' } } }))
    expect(Item).toEqual({ pk: { S: 'b' } })
  })

  it('reports each failure in the response of its statement', async () => {
    const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' }
    const { Responses } = await batch(
      `INSERT INTO log VALUE {'pk': 'c'}`,
      `INSERT INTO log VALUE {'pk': 'a'}`,
      `UPDATE log SET v = 1 WHERE pk = 'none'`,
      `DELETE FROM none WHERE pk = 'a'`,
      `UPDATE log SET v = 1 WHERE`,
      `EXISTS(SELECT * FROM log WHERE pk = 'a')`,
    )
    expect(Responses).toEqual([
      { TableName: 'log' },
      {
        TableName: 'log',
        Error: { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' },
      },
      { TableName: 'log', Error: failed },
      { Error: { Code: 'ResourceNotFound', Message: 'Requested resource not found' } },
      {
        Error: {
          Code: 'ValidationError',
          Message: "Statement wasn't well formed, can't be processed: Unexpected term",
        },
      },
      {
        Error: {
          Code: 'ValidationError',
          Message: 'EXISTS can only be used in ExecuteTransaction write requests.',
        },
      },
    ])
  })

  it('returns the item that failed a condition when requested', async () => {
    const { Responses } = await batch({
      Statement: `DELETE FROM log WHERE pk = 'a' AND v = 5`,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    expect(Responses?.[0]?.Error?.Item).toEqual({ pk: { S: 'a' }, v: { N: '1' } })
  })

  it('reports which statements were throttled when others were not', async () => {
    const inserts = ['b', 'c', 'd', 'e'].map((pk) => `INSERT INTO log VALUE {'pk': '${pk}'}`)
    const { Responses } = await batch(...inserts)
    expect(Responses?.map(({ Error: error }) => error?.Code)).toEqual([
      undefined,
      undefined,
      undefined,
      'ThrottlingError',
    ])
  })

  it.each([
    [`SELECT * FROM log WHERE pk = 'a' AND v = 1`],
    [`SELECT * FROM log WHERE pk IN ('a')`],
    ['SELECT * FROM log'],
  ])('rejects reads of more than one item: %s', async (statement) => {
    const { Responses } = await batch(statement)
    expect(Responses?.[0]?.Error).toEqual({
      Code: 'ValidationError',
      Message:
        'Select statements within BatchExecuteStatement must specify the primary key in the where clause.',
    })
  })

  it('rejects a mix of reads and writes, and two statements on one item', async () => {
    const read = `SELECT * FROM log WHERE pk = 'a'`
    await expect(batch(read, `DELETE FROM log WHERE pk = 'b'`)).rejects.toThrow(
      'Read and write requests together in the same batch is not supported.',
    )
    await expect(batch(read, read)).rejects.toThrow('Provided list of item keys contains duplicates')
  })

  it('accepts 1 to 25 statements', async () => {
    await expect(batch()).rejects.toThrow('Member must have length greater than or equal to 1')
    const many = Array.from({ length: 26 }, (_, index) => `SELECT * FROM log WHERE pk = '${index}'`)
    await expect(batch(...many)).rejects.toThrow('Member must have length less than or equal to 25')
  })
})
