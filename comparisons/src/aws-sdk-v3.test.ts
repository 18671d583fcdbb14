import {
  DeleteTableCommand,
  DynamoDBClient,
  paginateListTables,
  paginateScan,
  UpdateTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  NumberValue,
  PutCommand,
  paginateQuery,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, serve } from './served.fixture.js'

const doors: { readonly name: string; open(served: Served): DynamoDBClient }[] = [
  { name: 'over HTTP', open: ({ settings }) => new DynamoDBClient(settings) },
  { name: 'in process', open: (served) => served.inProcess() },
]

describe.each(doors)('the AWS SDK for JavaScript v3 $name', ({ open }) => {
  let served: Served
  let client: DynamoDBClient
  let documents: DynamoDBDocumentClient

  beforeAll(async () => {
    // Creating and deleting these tables takes a while, so that waiters have something to wait for.
    served = await serve({
      controlPlaneDelays: { createTable: 200, deleteTable: 200 },
    })
    client = open(served)
    documents = DynamoDBDocumentClient.from(client)
    await makeTable('songs')
  })

  afterAll(async () => {
    documents.destroy()
    client.destroy()
    await served.stop()
  })

  const patience = () => ({ client, minDelay: 0.05, maxDelay: 0.2, maxWaitTime: 10 })

  async function makeTable(name: string): Promise<void> {
    const { TableDescription } = await client.send(createTable(name, ['artist', 'title']))
    expect(TableDescription?.TableStatus).toBe('CREATING')
    expect((await waitUntilTableExists(patience(), { TableName: name })).state).toBe('SUCCESS')
  }

  it('waits until a table is there, and until it is gone', async () => {
    await makeTable('brief')
    await client.send(new DeleteTableCommand({ TableName: 'brief' }))
    expect((await waitUntilTableNotExists(patience(), { TableName: 'brief' })).state).toBe('SUCCESS')
    await expect(
      client.send(new UpdateTableCommand({ TableName: 'brief', DeletionProtectionEnabled: true })),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException', $fault: 'client' })
  })

  it('keeps the types of documents', async () => {
    const song = {
      artist: 'a',
      title: 'types',
      nothing: null,
      yes: true,
      list: [1, 'two', { three: [] }],
      numbers: new Set([1, 2]),
      bytes: new Uint8Array([0, 255]),
      huge: NumberValue.from('12345678901234567890123456789012345678'),
    }
    await documents.send(new PutCommand({ TableName: 'songs', Item: song }))
    const exact = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: true } })
    const { Item } = await exact.send(
      new GetCommand({ TableName: 'songs', Key: { artist: 'a', title: 'types' } }),
    )
    expect(Item?.huge.value).toBe('12345678901234567890123456789012345678')
    expect(Item).toMatchObject({ nothing: null, yes: true, bytes: new Uint8Array([0, 255]) })
    expect(Item?.list[2]).toEqual({ three: [] })
  })

  it('pages to the end of queries, scans and lists of tables', async () => {
    const titles = Array.from({ length: 60 }, (_, index) => `song ${String(index).padStart(2, '0')}`)
    for (let start = 0; start < titles.length; start += 25) {
      const { UnprocessedItems } = await documents.send(
        new BatchWriteCommand({
          RequestItems: {
            songs: titles
              .slice(start, start + 25)
              .map((title) => ({ PutRequest: { Item: { artist: 'b', title } } })),
          },
        }),
      )
      expect(UnprocessedItems).toEqual({})
    }
    const found: unknown[] = []
    const query = {
      TableName: 'songs',
      KeyConditionExpression: 'artist = :b',
      ExpressionAttributeValues: { ':b': 'b' },
    }
    for await (const { Items = [] } of paginateQuery({ client: documents, pageSize: 7 }, query)) {
      found.push(...Items.map(({ title }) => title))
    }
    expect(found).toEqual(titles)
    let scanned = 0
    for await (const page of paginateScan({ client, pageSize: 9 }, { TableName: 'songs' })) {
      scanned += page.Count ?? 0
    }
    const { Count } = await documents.send(new ScanCommand({ TableName: 'songs' }))
    expect(scanned).toBe(Count)
    expect(scanned).toBeGreaterThanOrEqual(60)
    await makeTable('another')
    const tables: string[] = []
    for await (const { TableNames = [] } of paginateListTables({ client, pageSize: 1 }, {}))
      tables.push(...TableNames)
    expect(tables).toEqual(['another', 'songs'])
  })

  it('throws the classes of its own errors, with what they carry', async () => {
    const key = { artist: 'c', title: 'errors' }
    await documents.send(new PutCommand({ TableName: 'songs', Item: { ...key, plays: 1 } }))
    await expect(
      documents.send(
        new UpdateCommand({
          TableName: 'songs',
          Key: key,
          UpdateExpression: 'SET plays = plays + :one',
          ConditionExpression: 'plays > :one',
          ExpressionAttributeValues: { ':one': 1 },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    ).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
      Item: { plays: { N: '1' } },
      $metadata: { httpStatusCode: 400, attempts: 1 },
    })
    await expect(
      documents.send(
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName: 'songs', Item: { artist: 'c', title: 'new' } } },
            {
              ConditionCheck: {
                TableName: 'songs',
                Key: key,
                ConditionExpression: 'attribute_not_exists(artist)',
                ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              },
            },
          ],
        }),
      ),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Item: { plays: { N: '1' } } },
      ],
    })
    const { Item } = await documents.send(
      new GetCommand({ TableName: 'songs', Key: { artist: 'c', title: 'new' } }),
    )
    expect(Item).toBeUndefined()
  })
})
