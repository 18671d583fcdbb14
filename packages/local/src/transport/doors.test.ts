import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  CreateGlobalTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  ListTablesCommand,
  ProvisionedThroughputExceededException,
  PutItemCommand,
  QueryCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  ScanCommand,
  ThrottlingException,
  UpdateItemCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb'
import {
  QueryCommand as DocumentQueryCommand,
  DynamoDBDocumentClient,
  PutCommand,
} from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SystemClock, SystemRandom } from '@isotherm/runtime'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { Engine } from '../engine/engine.js'
import { createLocal, type Local } from '../local.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import { engineRequestHandler } from './connection.js'

interface Door {
  readonly client: DynamoDBClient
  close(): Promise<void>
}

const SETTINGS = {
  region: 'eu-west-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  maxAttempts: 1,
}

async function overHttp(): Promise<Door> {
  const local = createLocal({ region: 'eu-west-1' })
  const { url } = await local.listen({ port: 0 })
  const client = new DynamoDBClient({ ...SETTINGS, endpoint: url })
  return { client, close: () => closeBoth(client, local) }
}

async function throughTheRequestHandler(): Promise<Door> {
  const clock = new SystemClock()
  const engine = new Engine({
    storage: new MemoryStorage(),
    clock,
    random: new SystemRandom(),
    capacity: {},
    throttle: true,
    onPartitionEvent() {},
    stopwatch: clock,
  })
  const requestHandler = engineRequestHandler(engine, 'eu-west-1', (bug) => {
    throw bug
  })
  const client = new DynamoDBClient({ ...SETTINGS, endpoint: 'http://engine.localhost', requestHandler })
  return { client, close: async () => client.destroy() }
}

async function directly(): Promise<Door> {
  const local = createLocal({ region: 'eu-west-1' })
  const client = local.client({ maxAttempts: 1 })
  return { client, close: () => closeBoth(client, local) }
}

async function closeBoth(client: DynamoDBClient, local: Local): Promise<void> {
  client.destroy()
  await local.close()
}

const ARN = 'arn:aws:dynamodb:eu-west-1:000000000000:table/films'
const films = (extra: object = {}) =>
  createTable('films', ['studio', 'year:N'], {
    global: { by_genre: { key: ['genre'], projected: ['title'] } },
    ...extra,
  })
const film = (studio: string, year: number, more: object = {}) => ({
  studio: { S: studio },
  year: { N: String(year) },
  ...more,
})

describe.each([
  ['over HTTP', overHttp],
  ["through the SDK's request handler", throughTheRequestHandler],
  ['directly in the process', directly],
])('the engine, asked %s', (_, open) => {
  let door: Door
  let client: DynamoDBClient
  beforeEach(async () => {
    await door?.close()
    door = await open()
    client = door.client
    await client.send(films())
  })
  afterAll(() => door.close())

  const put = (item: object, more: object = {}) =>
    client.send(new PutItemCommand({ TableName: 'films', Item: item as never, ...more }))
  const failure = async (sending: Promise<unknown>): Promise<DynamoDBServiceException> => {
    const error = await sending.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error instanceof DynamoDBServiceException) return error
    throw new Error(`expected an exception of the service, got ${String(error)}`)
  }

  it('creates, describes, lists, changes and deletes tables', async () => {
    const { Table: table } = await client.send(new DescribeTableCommand({ TableName: 'films' }))
    expect(table).toMatchObject({
      TableName: 'films',
      TableStatus: 'ACTIVE',
      TableArn: ARN,
      ItemCount: 0,
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      GlobalSecondaryIndexes: [
        { IndexName: 'by_genre', IndexStatus: 'ACTIVE', IndexArn: `${ARN}/index/by_genre` },
      ],
    })
    expect(table?.CreationDateTime).toBeInstanceOf(Date)
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual(['films'])
    expect(await failure(client.send(films()))).toBeInstanceOf(ResourceInUseException)
    await client.send(
      new UpdateTableCommand({
        TableName: 'films',
        BillingMode: 'PROVISIONED',
        ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 5 },
        GlobalSecondaryIndexUpdates: [
          {
            Update: {
              IndexName: 'by_genre',
              ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 },
            },
          },
        ],
      }),
    )
    const changed = await client.send(new DescribeTableCommand({ TableName: 'films' }))
    expect(changed.Table).toMatchObject({
      ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 5 },
      GlobalSecondaryIndexes: [{ ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 } }],
    })
    const tooMuch = new UpdateTableCommand({
      TableName: 'films',
      ProvisionedThroughput: { ReadCapacityUnits: Number.MAX_SAFE_INTEGER, WriteCapacityUnits: 5 },
    })
    expect(await failure(client.send(tooMuch))).toMatchObject({ name: 'LimitExceededException' })
    await client.send(new DeleteTableCommand({ TableName: 'films' }))
    const gone = await failure(client.send(new DescribeTableCommand({ TableName: 'films' })))
    expect(gone).toBeInstanceOf(ResourceNotFoundException)
    expect(gone.message).toBe('Requested resource not found: Table: films not found')
  })

  it('returns every type of value as it was put', async () => {
    const item = film('a', 1, {
      text: { S: 'über 😀' },
      number: { N: '12345678901234567890123456789012345678' },
      bytes: { B: new Uint8Array([0, 255, 7]) },
      yes: { BOOL: true },
      nothing: { NULL: true },
      list: { L: [{ S: 'x' }, { L: [] }, { B: new Uint8Array([1]) }] },
      map: { M: { inner: { M: {} }, empty: { S: '' } } },
      texts: { SS: ['a', 'b'] },
      numbers: { NS: ['-2.5', '1'] },
      blobs: { BS: [new Uint8Array([1]), new Uint8Array([2, 3])] },
    })
    await put(item)
    const { Item } = await client.send(new GetItemCommand({ TableName: 'films', Key: film('a', 1) as never }))
    expect(Item).toEqual(item)
  })

  it('returns numbers in canonical form', async () => {
    await put({ ...film('a', 1), number: { N: '00120.500e1' } })
    const { Item } = await client.send(new GetItemCommand({ TableName: 'films', Key: film('a', 1) as never }))
    expect(Item?.number).toEqual({ N: '1205' })
  })

  it('copies its inputs and its outputs', async () => {
    const item = film('a', 1, { list: { L: [{ S: 'before' }] } })
    await put(item)
    ;(item as unknown as { list: { L: { S: string }[] } }).list.L[0] = { S: 'after' }
    const read = () => client.send(new GetItemCommand({ TableName: 'films', Key: film('a', 1) as never }))
    const first = await read()
    first.Item?.list?.L?.push({ S: 'mine' })
    expect((await read()).Item?.list).toEqual({ L: [{ S: 'before' }] })
  })

  it('fails a false condition, and returns the item if requested', async () => {
    await put(film('a', 1, { title: { S: 'one' } }))
    const error = await failure(
      put(film('a', 1), {
        ConditionExpression: 'attribute_not_exists(studio)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    )
    expect(error).toBeInstanceOf(ConditionalCheckFailedException)
    expect(error.message).toBe('The conditional request failed')
    expect((error as ConditionalCheckFailedException).Item).toEqual(film('a', 1, { title: { S: 'one' } }))
    expect(error.$metadata.httpStatusCode).toBe(400)
  })

  it('updates, and returns the requested attributes', async () => {
    const update = (more: object) =>
      client.send(new UpdateItemCommand({ TableName: 'films', Key: film('a', 1) as never, ...more }))
    const created = await update({
      UpdateExpression: 'SET seen = :one, tags = :tags',
      ExpressionAttributeValues: { ':one': { N: '1' }, ':tags': { SS: ['x'] } },
      ReturnValues: 'ALL_NEW',
    })
    expect(created.Attributes).toEqual(film('a', 1, { seen: { N: '1' }, tags: { SS: ['x'] } }))
    const counted = await update({
      UpdateExpression: 'ADD seen :two DELETE tags :tags',
      ExpressionAttributeValues: { ':two': { N: '2' }, ':tags': { SS: ['x'] } },
      ReturnValues: 'UPDATED_NEW',
    })
    expect(counted.Attributes).toEqual({ seen: { N: '3' } })
    const error = await failure(update({ UpdateExpression: 'REMOVE studio' }))
    expect(error.message).toContain('Cannot update attribute studio. This attribute is part of the key')
  })

  it('deletes, and returns the old item', async () => {
    await put(film('a', 1, { title: { S: 'one' } }))
    const remove = new DeleteItemCommand({
      TableName: 'films',
      Key: film('a', 1) as never,
      ReturnValues: 'ALL_OLD',
    })
    expect((await client.send(remove)).Attributes).toEqual(film('a', 1, { title: { S: 'one' } }))
    expect((await client.send(remove)).Attributes).toBeUndefined()
  })

  it('queries in order, with conditions and in pages', async () => {
    for (const year of [1999, 2, 30, -5, 100]) await put(film('a', year, { lengthy: { BOOL: year > 20 } }))
    await put(film('b', 7))
    const query = (more: object) =>
      client.send(
        new QueryCommand({
          TableName: 'films',
          KeyConditionExpression: 'studio = :s',
          ExpressionAttributeValues: { ':s': { S: 'a' } },
          ...more,
        }),
      )
    const yearsOf = (items: { year?: unknown }[] = []) =>
      items.map(({ year }) => Number((year as { N: string }).N))
    expect(yearsOf((await query({})).Items)).toEqual([-5, 2, 30, 100, 1999])
    expect(yearsOf((await query({ ScanIndexForward: false, Limit: 2 })).Items)).toEqual([1999, 100])
    const between = await query({
      KeyConditionExpression: 'studio = :s AND #y BETWEEN :from AND :to',
      FilterExpression: 'lengthy = :yes',
      ProjectionExpression: '#y',
      ExpressionAttributeNames: { '#y': 'year' },
      ExpressionAttributeValues: {
        ':s': { S: 'a' },
        ':from': { N: '2' },
        ':to': { N: '100' },
        ':yes': { BOOL: true },
      },
    })
    expect(between).toMatchObject({
      Items: [{ year: { N: '30' } }, { year: { N: '100' } }],
      Count: 2,
      ScannedCount: 3,
    })
    const pages: number[][] = []
    let start: Record<string, never> | undefined
    do {
      const page = await query({ Limit: 2, ...(start === undefined ? {} : { ExclusiveStartKey: start }) })
      pages.push(yearsOf(page.Items))
      start = page.LastEvaluatedKey as typeof start
    } while (start !== undefined)
    expect(pages).toEqual([[-5, 2], [30, 100], [1999]])
  })

  it('rejects a start key that is invalid or out of range', async () => {
    const page = (ExclusiveStartKey: object) =>
      failure(
        client.send(
          new QueryCommand({
            TableName: 'films',
            KeyConditionExpression: 'studio = :s AND #y > :y',
            ExpressionAttributeNames: { '#y': 'year' },
            ExpressionAttributeValues: { ':s': { S: 'a' }, ':y': { N: '5' } },
            ExclusiveStartKey: ExclusiveStartKey as never,
          }),
        ),
      )
    const invalid = 'The provided starting key is invalid'
    expect((await page({ studio: { S: 'a' } })).message).toBe(invalid)
    expect((await page(film('a', 6, { more: { S: 'x' } }))).message).toBe(invalid)
    expect((await page(film('a', 5))).message).toBe(
      'The provided starting key does not match the range key predicate',
    )
    expect((await page(film('b', 6))).message).toBe(
      'The provided starting key is outside query boundaries based on provided conditions',
    )
  })

  it('ends a page at one megabyte, with the item that crosses it', async () => {
    // Small enough for the 1,000 units that a partition has at once.
    await put(film('a', 9))
    for (let year = 0; year < 4; year++) await put(film('a', year, { body: { S: 'x'.repeat(262_200) } }))
    const { Count, LastEvaluatedKey, ConsumedCapacity } = await client.send(
      new QueryCommand({
        TableName: 'films',
        KeyConditionExpression: 'studio = :s',
        ExpressionAttributeValues: { ':s': { S: 'a' } },
        ReturnConsumedCapacity: 'TOTAL',
      }),
    )
    expect(Count).toBe(4)
    expect(LastEvaluatedKey).toEqual(film('a', 3))
    expect(ConsumedCapacity).toEqual({ TableName: 'films', CapacityUnits: 128.5 })
  })

  it('maintains an index: sparse, projected, eventually consistent, paged through equal keys', async () => {
    await put(film('a', 1))
    for (let year = 0; year < 5; year++)
      await put(film('s', year, { genre: { S: 'g' }, title: { S: 't' }, more: { S: 'm' } }))
    const query = (more: object) =>
      client.send(
        new QueryCommand({
          TableName: 'films',
          IndexName: 'by_genre',
          KeyConditionExpression: 'genre = :g',
          ExpressionAttributeValues: { ':g': { S: 'g' } },
          ...more,
        }),
      )
    const seen: string[] = []
    let start: Record<string, never> | undefined
    do {
      const page = await query({ Limit: 2, ...(start === undefined ? {} : { ExclusiveStartKey: start }) })
      for (const item of page.Items ?? []) {
        expect(Object.keys(item).sort()).toEqual(['genre', 'studio', 'title', 'year'])
        seen.push(item.year?.N ?? '')
      }
      start = page.LastEvaluatedKey as typeof start
      if (start !== undefined) expect(Object.keys(start).sort()).toEqual(['genre', 'studio', 'year'])
    } while (start !== undefined)
    expect(seen.sort()).toEqual(['0', '1', '2', '3', '4'])
    expect((await failure(query({ ConsistentRead: true }))).message).toBe(
      'Consistent reads are not supported on global secondary indexes',
    )
    expect((await failure(query({ IndexName: 'by_nothing' }))).message).toBe(
      'The table does not have the specified index: by_nothing',
    )
  })

  it('reports the units of a write, for table and index separately', async () => {
    const used = async (item: object, more: object = {}) =>
      (await put(item, { ReturnConsumedCapacity: 'INDEXES', ...more })).ConsumedCapacity
    const indexed = (units: number) => ({ GlobalSecondaryIndexes: { by_genre: { CapacityUnits: units } } })
    const table = (units: number) => ({ Table: { CapacityUnits: units } })
    const base = { TableName: 'films' }
    expect(await used(film('a', 1))).toEqual({ ...base, CapacityUnits: 1, ...table(1) })
    expect(await used(film('a', 1, { genre: { S: 'g' } }))).toEqual({
      ...base,
      CapacityUnits: 2,
      ...table(1),
      ...indexed(1),
    })
    expect(await used(film('a', 1, { genre: { S: 'h' } }))).toEqual({
      ...base,
      CapacityUnits: 3,
      ...table(1),
      ...indexed(2),
    })
    expect(await used(film('a', 1, { genre: { S: 'h' }, other: { S: 'o' } }))).toEqual({
      ...base,
      CapacityUnits: 1,
      ...table(1),
    })
    expect(await used(film('a', 2, { body: { S: 'x'.repeat(2500) } }))).toMatchObject({ CapacityUnits: 3 })
    expect(await used(film('a', 2))).toMatchObject({ CapacityUnits: 3 })
    expect(await used(film('a', 2), { ReturnConsumedCapacity: 'TOTAL' })).toEqual({
      ...base,
      CapacityUnits: 1,
    })
    expect(await used(film('a', 2), { ReturnConsumedCapacity: 'NONE' })).toBeUndefined()
  })

  it('scans all items, and each segment once', async () => {
    for (let number = 0; number < 40; number++) await put(film(`studio-${number}`, number))
    const studios = async (more: object) =>
      ((await client.send(new ScanCommand({ TableName: 'films', ...more }))).Items ?? []).map(
        ({ studio }) => studio?.S,
      )
    const all = await studios({})
    expect(new Set(all).size).toBe(40)
    const segments = await Promise.all([0, 1, 2].map((Segment) => studios({ Segment, TotalSegments: 3 })))
    expect(segments.flat()).toEqual(all)
    const error = await failure(
      client.send(new ScanCommand({ TableName: 'films', Segment: 3, TotalSegments: 3 })),
    )
    expect(error.message).toBe(
      'The Segment parameter is zero-based and must be less than parameter TotalSegments',
    )
  })

  it('writes and reads batches', async () => {
    const written = await client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          films: [1, 2, 3].map((year) => ({ PutRequest: { Item: film('a', year) as never } })),
        },
        ReturnConsumedCapacity: 'TOTAL',
      }),
    )
    expect(written).toMatchObject({
      UnprocessedItems: {},
      ConsumedCapacity: [{ TableName: 'films', CapacityUnits: 3 }],
    })
    const read = await client.send(
      new BatchGetItemCommand({ RequestItems: { films: { Keys: [film('a', 3), film('a', 9)] as never } } }),
    )
    expect(read).toMatchObject({ Responses: { films: [film('a', 3)] }, UnprocessedKeys: {} })
    const twice = client.send(
      new BatchGetItemCommand({ RequestItems: { films: { Keys: [film('a', 3), film('a', 3)] as never } } }),
    )
    expect((await failure(twice)).message).toBe('Provided list of item keys contains duplicates')
  })

  it('throttles with the exception, the text and the reasons of the service', async () => {
    await client.send(createTable('small', ['pk'], { units: 1 }))
    const write = (pk: string) =>
      new PutItemCommand({ TableName: 'small', Item: { pk: { S: pk }, body: { S: 'x'.repeat(90_000) } } })
    await client.send(write('a'))
    const error = await failure(client.send(write('b')))
    expect(error).toBeInstanceOf(ProvisionedThroughputExceededException)
    expect((error as ProvisionedThroughputExceededException).ThrottlingReasons).toEqual([
      { reason: 'TableWriteProvisionedThroughputExceeded', resource: ARN.replace('films', 'small') },
    ])
    expect(error.message).toContain(
      'The level of configured provisioned throughput for the table was exceeded',
    )
    const batch = client.send(
      new BatchWriteItemCommand({ RequestItems: { small: [{ PutRequest: { Item: { pk: { S: 'c' } } } }] } }),
    )
    expect(await failure(batch)).toBeInstanceOf(ProvisionedThroughputExceededException)
    const mixed = await client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          films: [{ PutRequest: { Item: film('a', 1) as never } }],
          small: [{ PutRequest: { Item: { pk: { S: 'c' } } } }],
        },
      }),
    )
    expect(mixed.UnprocessedItems).toEqual({ small: [{ PutRequest: { Item: { pk: { S: 'c' } } } }] })

    const big = () => put(film('hot', 1, { body: { S: 'x'.repeat(390_000) } }))
    let onDemand: DynamoDBServiceException | undefined
    for (let attempt = 0; attempt < 20 && onDemand === undefined; attempt++) {
      onDemand = await big().then(
        () => undefined,
        (reason: DynamoDBServiceException) => reason,
      )
    }
    expect(onDemand).toBeInstanceOf(ThrottlingException)
    expect((onDemand as ThrottlingException).throttlingReasons).toEqual([
      { reason: 'TableWriteKeyRangeThroughputExceeded', resource: ARN },
    ])
  })

  it.each([
    [
      'a key of another type',
      film('a', 1, { year: { S: '1' } }),
      {},
      'One or more parameter values were invalid: Type mismatch for key year expected: N actual: S',
    ],
    [
      'a missing key',
      { studio: { S: 'a' } },
      {},
      'One or more parameter values were invalid: Missing the key year in the item',
    ],
    [
      'an empty key',
      film('', 1),
      {},
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: studio',
    ],
    [
      'an index key of another type',
      film('a', 1, { genre: { N: '1' } }),
      {},
      'One or more parameter values were invalid: Type mismatch for Index Key genre Expected: S Actual: N IndexName: by_genre',
    ],
    [
      'an empty set',
      film('a', 1, { set: { SS: [] } }),
      {},
      'One or more parameter values were invalid: An string set  may not be empty',
    ],
    [
      'a number that is none',
      film('a', 1, { n: { N: 'abc' } }),
      {},
      'The parameter cannot be converted to a numeric value: abc',
    ],
    [
      '39 digits',
      film('a', 1, { n: { N: '1'.repeat(39) } }),
      {},
      'Attempting to store more than 38 significant digits in a Number',
    ],
    [
      'an item over 400 KB',
      film('a', 1, { s: { S: 'x'.repeat(409_600) } }),
      {},
      'Item size has exceeded the maximum allowed size',
    ],
    [
      'a reserved word',
      film('a', 1),
      { ConditionExpression: 'status = studio' },
      'Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: status',
    ],
    [
      'an unused value',
      film('a', 1),
      { ConditionExpression: 'attribute_exists(studio)', ExpressionAttributeValues: { ':v': { N: '1' } } },
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}',
    ],
    [
      'an unknown choice',
      film('a', 1),
      { ReturnConsumedCapacity: 'ALL' },
      "1 validation error detected: Value 'ALL' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
    ],
    [
      'conditions of both kinds',
      film('a', 1),
      { Expected: { studio: { Exists: false } }, ConditionExpression: 'attribute_not_exists(studio)' },
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}',
    ],
    [
      'an answer that only an update has',
      film('a', 1),
      { ReturnValues: 'ALL_NEW' },
      'ReturnValues can only be ALL_OLD or NONE',
    ],
    [
      'an attribute without a name',
      film('a', 1, { inner: { M: { '': { S: 'x' } } } }),
      {},
      'Empty attribute name',
    ],
  ])('rejects %s with the text of the service, and changes nothing', async (_, item, more, message) => {
    const error = await failure(put(item, more))
    expect(error.name).toBe('ValidationException')
    expect(error.message).toContain(message)
    expect((await client.send(new ScanCommand({ TableName: 'films' }))).Count).toBe(0)
  })

  it('returns the same error for an operation it does not have as for one it does not know', async () => {
    const error = await failure(
      client.send(new CreateGlobalTableCommand({ GlobalTableName: 'films', ReplicationGroup: [] })),
    )
    expect(error.name).toBe('UnknownOperationException')
  })

  it('works with the document client', async () => {
    const documents = DynamoDBDocumentClient.from(client)
    await documents.send(
      new PutCommand({
        TableName: 'films',
        Item: { studio: 'a', year: 3, tags: new Set(['x']), deep: { list: [1, null] } },
      }),
    )
    const { Items } = await documents.send(
      new DocumentQueryCommand({
        TableName: 'films',
        KeyConditionExpression: 'studio = :s',
        ExpressionAttributeValues: { ':s': 'a' },
      }),
    )
    expect(Items).toEqual([{ studio: 'a', year: 3, tags: new Set(['x']), deep: { list: [1, null] } }])
  })
})

it('shows an in-process client the tables of its own region, as a signature would', async () => {
  const local = createLocal({ region: 'eu-west-1' })
  const home = local.client()
  const abroad = local.client({ region: 'ap-south-1' })
  const unsure = local.client({ region: async () => 'ap-south-1' })
  const { TableDescription } = await abroad.send(films())
  expect(TableDescription?.TableArn).toBe(ARN.replace('eu-west-1', 'ap-south-1'))
  expect((await home.send(new ListTablesCommand({}))).TableNames).toEqual([])
  expect((await unsure.send(new ListTablesCommand({}))).TableNames).toEqual(['films'])
  await local.close()
})

it("reads the SDK's request bodies without converting them to text", async () => {
  // The SDK's own bodies print a warning once a minute, and announce that they will throw.
  class Body extends Uint8Array {
    override valueOf(): never {
      throw new Error('This body was taken for a text.')
    }
  }
  const { client, close } = await throughTheRequestHandler()
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { body: Uint8Array }
      request.body = new Body(request.body)
      return next(args)
    },
    { step: 'finalizeRequest', priority: 'low' },
  )
  expect((await client.send(films())).TableDescription?.TableArn).toBe(ARN)
  await close()
})
