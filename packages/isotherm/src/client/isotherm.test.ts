import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  PutItemCommand,
  paginateQuery,
  QueryCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import {
  QueryCommand as DocumentQueryCommand,
  DynamoDBDocumentClient,
  PutCommand,
  paginateQuery as paginateDocumentQuery,
} from '@aws-sdk/lib-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { sdkClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { fixedShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'

async function setUp() {
  const tables = new FakeTables()
    .create('log', { partitionKey: 'file_path', sortKey: 'at' })
    .create('other', { partitionKey: 'file_path', sortKey: 'at' })
  const client = await sdkClient(tables)
  const options = {
    tables: {
      log: {
        partitionKey: 'file_path',
        sortKey: 'at',
        suffix: 'random',
        shards: fixedShards(4),
        checkItems: false,
      },
    },
    random: new SeededRandom(1),
  } as const
  return { tables, client, options }
}

const put = (at: number, table = 'log') =>
  new PutItemCommand({ TableName: table, Item: { file_path: { S: '/a' }, at: { N: String(at) } } })

const queryInput = {
  TableName: 'log',
  KeyConditionExpression: 'file_path = :file',
  ExpressionAttributeValues: { ':file': { S: '/a' } },
}

describe('a sharded client', () => {
  it('has the class, the config and the middleware of the client that was passed in', async () => {
    const { client, options } = await setUp()
    const document = DynamoDBDocumentClient.from(client)
    expect(isotherm(client, options)).toBeInstanceOf(DynamoDBClient)
    expect(isotherm(document, options)).toBeInstanceOf(DynamoDBDocumentClient)
    expect(isotherm(client, options).config).toBe(client.config)
    // Another object, because a document client sends commands through the stack of the client that it was made from.
    const { middlewareStack } = isotherm(client, options)
    expect(middlewareStack.identify()).toEqual(client.middlewareStack.identify())
    middlewareStack.add((next) => next, { step: 'build', name: 'added' })
    expect(client.middlewareStack.remove('added')).toBe(true)
    expect(middlewareStack.remove('added')).toBe(false)
  })

  it('does not change the client that was passed in', async () => {
    const { client, options } = await setUp()
    const before = Object.keys(client)
    isotherm(client, options)
    expect(Object.keys(client)).toEqual(before)
    expect(client.send).toBe(DynamoDBClient.prototype.send)
  })

  it('writes to shards of the key and reads them back as one key', async () => {
    const { tables, client, options } = await setUp()
    const db = isotherm(client, options)
    for (let at = 0; at < 20; at++) await db.send(put(at))
    const stored = new Set(tables.items('log').map(({ file_path }) => JSON.stringify(file_path)))
    expect([...stored].sort()).toEqual([1, 2, 3, 4].map((shard) => `{"S":"/a_${shard}"}`))
    const { Items = [], Count } = await db.send(new QueryCommand(queryInput))
    expect(Count).toBe(20)
    expect(Items.map(({ at }) => Number(at?.N))).toEqual(Array.from({ length: 20 }, (_, at) => at))
    expect(Items.every(({ file_path }) => file_path?.S === '/a')).toBe(true)
  })

  it('uses plain values with a document client', async () => {
    const { client, options } = await setUp()
    const db = isotherm(DynamoDBDocumentClient.from(client), options)
    for (let at = 0; at < 6; at++)
      await db.send(new PutCommand({ TableName: 'log', Item: { file_path: '/a', at, tags: ['x'] } }))
    const page = await db.send(
      new DocumentQueryCommand({
        TableName: 'log',
        KeyConditionExpression: 'file_path = :file AND #at > :from',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':file': '/a', ':from': 1 },
        Limit: 3,
      }),
    )
    expect(page.Items).toEqual([2, 3, 4].map((at) => ({ file_path: '/a', at, tags: ['x'] })))
    expect(page.LastEvaluatedKey).toEqual({ file_path: expect.stringMatching(/^\/a_[1-4]$/), at: 4 })
  })

  it('preserves digits that a JavaScript number cannot hold', async () => {
    const { client, options } = await setUp()
    const db = isotherm(
      DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: true } }),
      options,
    )
    const digits = '12345678901234567890123456789012345678'
    await isotherm(client, options).send(
      new PutItemCommand({ TableName: 'log', Item: { file_path: { S: '/a' }, at: { N: digits } } }),
    )
    const { Items } = await db.send(
      new DocumentQueryCommand({ ...queryInput, ExpressionAttributeValues: { ':file': '/a' } }),
    )
    expect(Items?.[0]?.at).toEqual({ value: digits })
  })

  it('works with the paginators of both clients', async () => {
    const { client, options } = await setUp()
    const db = isotherm(client, options)
    for (let at = 0; at < 25; at++) await db.send(put(at))
    const seen: number[] = []
    for await (const page of paginateQuery({ client: db, pageSize: 4 }, { ...queryInput })) {
      seen.push(...(page.Items ?? []).map(({ at }) => Number(at?.N)))
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => at))
    const backward: number[] = []
    const document = isotherm(DynamoDBDocumentClient.from(client), options)
    const input = { ...queryInput, ExpressionAttributeValues: { ':file': '/a' }, ScanIndexForward: false }
    for await (const page of paginateDocumentQuery({ client: document, pageSize: 7 }, input)) {
      backward.push(...(page.Items ?? []).map(({ at }) => at))
    }
    expect(backward).toEqual(seen.toReversed())
  })

  it('calls the callback, if there is one', async () => {
    const { client, options } = await setUp()
    const db = isotherm(client, options)
    const output = await new Promise((resolve, reject) => {
      db.send(put(1), (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)))
    })
    expect(output).toMatchObject({ $metadata: { attempts: 1 } })
    const error = await new Promise((resolve) => {
      db.send(new DeleteItemCommand({ TableName: 'log', Key: {} }), {}, (failure: unknown) =>
        resolve(failure),
      )
    })
    expect(error).toMatchObject({ code: 'key.missing' })
  })

  it('passes requests for other tables unchanged', async () => {
    const { tables, client, options } = await setUp()
    await isotherm(client, options).send(put(1, 'other'))
    expect(tables.items('other')).toEqual([{ file_path: { S: '/a' }, at: { N: '1' } }])
  })

  it('recognises its table by ARN too', async () => {
    const { tables, client, options } = await setUp()
    await isotherm(client, options)
      .send(put(1, 'arn:aws:dynamodb:us-east-1:123456789012:table/log'))
      .catch(() => {})
    expect(tables.requests[0]?.input.Item.file_path.S).toMatch(/^\/a_\d$/)
  })

  it('rejects PartiQL that names a sharded table, alone, in a batch and in a transaction', async () => {
    const { tables, client, options } = await setUp()
    const db = isotherm(client, options)
    const statement = { Statement: `SELECT * FROM "log" WHERE file_path = '/a'` }
    const refusal = { code: 'command.unsupported', details: { table: 'log' } }
    await expect(db.send(new ExecuteStatementCommand(statement))).rejects.toMatchObject(refusal)
    await expect(
      db.send(new BatchExecuteStatementCommand({ Statements: [statement] })),
    ).rejects.toMatchObject(refusal)
    await expect(
      db.send(new ExecuteTransactionCommand({ TransactStatements: [statement] })),
    ).rejects.toMatchObject(refusal)
    expect(tables.requests).toEqual([])
  })

  it.each([
    ['a line', 'SELECT *\nFROM\nlog\nWHERE x = 1'],
    ['a tab', 'INSERT INTO\tlog\tVALUE {}'],
  ])('rejects PartiQL where the table is named after %s', async (_what, Statement) => {
    const { tables, client, options } = await setUp()
    const db = isotherm(client, options)
    const refusal = { code: 'command.unsupported', details: { table: 'log' } }
    await expect(db.send(new ExecuteStatementCommand({ Statement }))).rejects.toMatchObject(refusal)
    const Statements = [{ Statement: 'SELECT * FROM "other"' }, { Statement }]
    await expect(db.send(new BatchExecuteStatementCommand({ Statements }))).rejects.toMatchObject(refusal)
    expect(tables.requests).toEqual([])
  })

  it('passes unknown commands and commands without sharded tables unchanged', async () => {
    const { tables, client, options } = await setUp()
    const db = isotherm(client, options)
    const other = { Statement: `SELECT * FROM "other" WHERE file_path = '/a'` }
    await expect(db.send(new ExecuteStatementCommand(other))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    })
    const RequestItems = { other: { Keys: [{ file_path: { S: '/a' }, at: { N: '1' } }] } }
    await expect(db.send(new BatchGetItemCommand({ RequestItems }))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    })
    expect(tables.requests.map(({ input }) => input)).toEqual([other, { RequestItems }])
    const { state } = await waitUntilTableExists({ client: db, maxWaitTime: 60 }, { TableName: 'log' })
    expect(state).toBe('SUCCESS')
  })

  it('adds the middleware of a command to the requests that it sends', async () => {
    const { client, options } = await setUp()
    const db = isotherm(client, options)
    const seen: unknown[] = []
    const command = put(1)
    command.middlewareStack.add((next) => async (args) => {
      seen.push(args.input.Item?.file_path)
      return next(args)
    })
    await db.send(command)
    expect(seen).toEqual([{ S: expect.stringMatching(/^\/a_\d$/) }])
  })

  it('can send the same command object again', async () => {
    const { tables, client, options } = await setUp()
    const db = isotherm(DynamoDBDocumentClient.from(client), options)
    const command = new PutCommand({ TableName: 'log', Item: { file_path: '/a', at: 1 } })
    await db.send(command)
    await db.send(command)
    expect(tables.requests).toHaveLength(2)
    expect(command.input).toEqual({ TableName: 'log', Item: { file_path: '/a', at: 1 } })
  })
})
