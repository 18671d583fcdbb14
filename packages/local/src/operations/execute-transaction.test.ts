import {
  type DynamoDBClient,
  ExecuteTransactionCommand,
  type ExecuteTransactionCommandInput,
  IdempotentParameterMismatchException,
  type ParameterizedStatement,
  PutItemCommand,
  ResourceNotFoundException,
  ScanCommand,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'

let local: Local
let client: DynamoDBClient

beforeEach(async () => {
  local = createLocal()
  client = local.client({ maxAttempts: 1 })
  await client.send(createTable('log', ['pk']))
  for (const [pk, v] of Object.entries({ a: '1', b: '2' })) {
    await client.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: pk }, v: { N: v } } }))
  }
})

afterEach(async () => {
  client.destroy()
  await local.close()
})

function transact(
  statements: readonly (string | ParameterizedStatement)[],
  options: Partial<ExecuteTransactionCommandInput> = {},
) {
  const TransactStatements = statements.map((each) => (typeof each === 'string' ? { Statement: each } : each))
  return client.send(new ExecuteTransactionCommand({ TransactStatements, ...options }))
}

/** The content of the table: `a=1 b=2`. */
async function held(): Promise<string> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'log' }))
  return Items.map(({ pk, v }) => `${pk?.S}=${v?.N}`)
    .sort()
    .join(' ')
}

describe('ExecuteTransaction', () => {
  it('writes all or nothing', async () => {
    const { Responses } = await transact([
      `INSERT INTO log VALUE {'pk': 'c', 'v': 3}`,
      { Statement: 'UPDATE log SET v = v + ? WHERE pk = ?', Parameters: [{ N: '10' }, { S: 'a' }] },
      `DELETE FROM log WHERE pk = 'b' AND v = 2`,
    ])
    expect(Responses).toEqual([])
    expect(await held()).toBe('a=11 c=3')
    await expect(
      transact([`DELETE FROM log WHERE pk = 'a'`, `UPDATE log SET v = 0 WHERE pk = 'none'`]),
    ).rejects.toThrow(TransactionCanceledException)
    expect(await held()).toBe('a=11 c=3')
  })

  it('reads items as of one moment', async () => {
    const { Responses, ConsumedCapacity } = await transact(
      [`SELECT v FROM log WHERE pk = 'a'`, `SELECT * FROM log WHERE pk = 'none'`],
      { ReturnConsumedCapacity: 'TOTAL' },
    )
    expect(Responses).toEqual([{ Item: { v: { N: '1' } } }, {}])
    expect(ConsumedCapacity).toEqual([{ TableName: 'log', CapacityUnits: 4, ReadCapacityUnits: 4 }])
  })

  it('writes on conditions of other items', async () => {
    const insert = `INSERT INTO log VALUE {'pk': 'c'}`
    await transact([`EXISTS(SELECT * FROM log WHERE pk = 'a' AND v = 1)`, insert])
    expect(await held()).toBe('a=1 b=2 c=undefined')
    const again = transact([
      `EXISTS(SELECT * FROM log WHERE pk = 'a' AND v = 2)`,
      `DELETE FROM log WHERE pk = 'c'`,
    ])
    await expect(again).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }],
    })
  })

  it('reports why it was cancelled', async () => {
    const failed = transact([
      {
        Statement: `UPDATE log SET v = 9 WHERE pk = 'a' AND v = 7`,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
      `INSERT INTO log VALUE {'pk': 'b'}`,
      `DELETE FROM log WHERE pk = 'c'`,
    ])
    await expect(failed).rejects.toMatchObject({
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed, ValidationError, None]',
      CancellationReasons: [
        {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          Item: { pk: { S: 'a' }, v: { N: '1' } },
        },
        { Code: 'ValidationError', Message: 'Duplicate primary key exists in table' },
        { Code: 'None' },
      ],
    })
  })

  it('is cancelled by an invalid key', async () => {
    await expect(
      transact([`DELETE FROM log WHERE pk = 'a'`, 'DELETE FROM log WHERE pk = 1']),
    ).rejects.toMatchObject({
      CancellationReasons: [
        { Code: 'None' },
        {
          Code: 'ValidationError',
          Message: "Key attribute's data type should match its data type in table's schema: Key pk",
        },
      ],
    })
  })

  it('is executed once for a token', async () => {
    const options = { ClientRequestToken: 'once', ReturnConsumedCapacity: 'TOTAL' as const }
    const add = `UPDATE log SET v = v + 1 WHERE pk = 'a'`
    const first = await transact([add], options)
    expect(first.ConsumedCapacity).toMatchObject([{ WriteCapacityUnits: 2 }])
    const second = await transact([add], options)
    expect(second.ConsumedCapacity).toMatchObject([{ ReadCapacityUnits: 2 }])
    expect(await held()).toBe('a=2 b=2')
    await expect(transact([`DELETE FROM log WHERE pk = 'a'`], options)).rejects.toThrow(
      IdempotentParameterMismatchException,
    )
  })

  it.each([
    [
      [`SELECT * FROM log WHERE pk = 'a'`, `DELETE FROM log WHERE pk = 'b'`],
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    ],
    [
      [`SELECT * FROM log WHERE pk = 'a'`, `SELECT v FROM log WHERE pk = 'a'`],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      [`DELETE FROM log WHERE pk = 'a'`, 'SELECT * FROM log WHERE'],
      "Validation failed in TransactStatements[1]: Statement wasn't well formed, can't be processed: Unexpected term",
    ],
    [
      [`SELECT * FROM log WHERE pk = 'a' AND v = 1`],
      'Validation failed in TransactStatements[0]: Select statements within ExecuteTransaction must specify the primary key in the where clause.',
    ],
    [
      [`SELECT * FROM log.by_v WHERE pk = 'a'`],
      'Validation failed in TransactStatements[0]: Reads on indices are not supported within transactions.',
    ],
    [
      [`DELETE FROM log WHERE pk = 'a' RETURNING ALL OLD *`],
      'Validation failed in TransactStatements[0]: RETURNING clause is not supported in ExecuteTransaction.',
    ],
    [
      [`EXISTS(SELECT * FROM log WHERE pk = 'a')`],
      'Validation failed in TransactStatements[0]: EXISTS() must contain a single item read with additional condition',
    ],
    [
      ['DELETE FROM log WHERE pk = ?'],
      "Validation failed in TransactStatements[0]: Number of parameters in request and statement don't match.",
    ],
  ])('is rejected: %s', async (statements, message) => {
    await expect(transact(statements)).rejects.toMatchObject({ name: 'ValidationException', message })
    expect(await held()).toBe('a=1 b=2')
  })

  it('is rejected for missing tables, without statements, and with more than 100 statements', async () => {
    await expect(transact([`DELETE FROM none WHERE pk = 'a'`])).rejects.toThrow(ResourceNotFoundException)
    await expect(transact([])).rejects.toThrow('Member must have length greater than or equal to 1')
    const many = Array.from({ length: 101 }, (_, index) => `DELETE FROM log WHERE pk = '${index}'`)
    await expect(transact(many)).rejects.toThrow('Member must have length less than or equal to 100')
  })

  it('is rejected above 4 MB', async () => {
    const statement = (pk: string) => ({
      Statement: `INSERT INTO log VALUE {'pk': '${pk}', 'filler': ?}`,
      Parameters: [{ S: 'x'.repeat(390_000) }],
    })
    const statements = [...'cdefghijklm'].map(statement)
    await expect(transact(statements)).rejects.toThrow(/^Transaction payload size cannot exceed 4MB\./)
  })
})
