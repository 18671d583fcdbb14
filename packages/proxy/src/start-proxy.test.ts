import { connect } from 'node:net'
import { crc32, gzipSync } from 'node:zlib'
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DescribeEndpointsCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  paginateQuery,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams'
import { createLocal } from '@isotherm/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOG, post, SETTINGS, type Served, serveProxy } from './proxy.fixture.js'
import { startProxy } from './start-proxy.js'

const item = (file: string, at: number, more = {}) => ({ doc: { S: file }, seq: { N: String(at) }, ...more })
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('The request succeeded.'),
    (error: unknown) => error as Error & Record<string, unknown>,
  )

describe('a sharded table behind the proxy', () => {
  let served: Served
  beforeAll(async () => {
    served = await serveProxy({}, { throttle: false }, { stream: 'NEW_AND_OLD_IMAGES' })
  })
  afterAll(() => served.stop())

  it('spreads the items of a key, and reads them back in order, page by page, with their bytes', async () => {
    const bytes = Uint8Array.from({ length: 40 }, (_, place) => 255 - 13 * place)
    for (let at = 0; at < 20; at++) {
      await served.client.send(
        new PutItemCommand({
          TableName: 'log',
          Item: item('/a', at, {
            raw: { B: bytes },
            set: { BS: [bytes] },
            deep: { L: [{ M: { b: { B: bytes } } }] },
          }),
        }),
      )
    }
    const { Items: stored = [] } = await served.direct.send(new ScanCommand({ TableName: 'log' }))
    expect(new Set(stored.map(({ doc }) => doc?.S))).toEqual(new Set(['/a_1', '/a_2', '/a_3', '/a_4']))
    const pages = paginateQuery(
      { client: served.client, pageSize: 7 },
      {
        TableName: 'log',
        KeyConditionExpression: 'doc = :f',
        ExpressionAttributeValues: { ':f': { S: '/a' } },
      },
    )
    const read = []
    for await (const { Items = [] } of pages) read.push(...Items)
    expect(read.map(({ seq }) => Number(seq?.N))).toEqual(Array.from({ length: 20 }, (_, at) => at))
    expect(read[0]).toEqual(
      item('/a', 0, { raw: { B: bytes }, set: { BS: [bytes] }, deep: { L: [{ M: { b: { B: bytes } } }] } }),
    )
  })

  it('takes batches and transactions, also together with other tables', async () => {
    await served.client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          log: [{ PutRequest: { Item: item('/b', 1) } }, { PutRequest: { Item: item('/b', 2) } }],
          plain: [{ PutRequest: { Item: item('/b', 3) } }],
        },
      }),
    )
    await served.client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName: 'log', Item: item('/b', 4) } },
          { Put: { TableName: 'plain', Item: item('/b', 5) } },
        ],
      }),
    )
    const { Responses } = await served.client.send(
      new BatchGetItemCommand({
        RequestItems: {
          log: { Keys: [item('/b', 1), item('/b', 2), item('/b', 4)] },
          plain: { Keys: [item('/b', 3), item('/b', 5)] },
        },
      }),
    )
    expect(Responses?.log).toHaveLength(3)
    expect(Responses?.plain).toHaveLength(2)
    const got = await served.client.send(
      new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName: 'log', Key: item('/b', 4) } }] }),
    )
    expect(got.Responses?.[0]?.Item).toEqual(item('/b', 4))
  })

  it('answers failed conditions with their item, and cancelled transactions with their reasons', async () => {
    const raw = { B: new Uint8Array([1, 2, 3]) }
    await served.client.send(new PutItemCommand({ TableName: 'log', Item: item('/c', 1, { raw }) }))
    const put = {
      TableName: 'log',
      Item: item('/c', 1),
      ConditionExpression: 'attribute_not_exists(doc)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } as const
    const condition = await failure(served.client.send(new PutItemCommand(put)))
    expect(condition).toMatchObject({ name: 'ConditionalCheckFailedException', Item: item('/c', 1, { raw }) })
    const cancelled = await failure(
      served.client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put }] })),
    )
    expect(cancelled).toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item: item('/c', 1, { raw }) }],
    })
  })

  it('answers in the wire form of the service, with a request id and a checksum', async () => {
    const key = JSON.stringify({ TableName: 'log', Key: item('/nothing', 1) })
    const { headers, status, text } = await post(served.url, 'GetItem', key)
    expect({ status, text }).toEqual({ status: 200, text: '{}' })
    expect(headers.get('content-type')).toBe('application/x-amz-json-1.0')
    expect(headers.get('x-amzn-requestid')).toMatch(/^[\w-]{20,}$/)
    expect(headers.get('x-amz-crc32')).toBe(String(crc32(text)))
    const put = { TableName: 'log', Item: item('/c', 9), ConditionExpression: 'attribute_exists(nothing)' }
    const refused = await post(served.url, 'PutItem', JSON.stringify(put))
    expect(refused.status).toBe(400)
    expect(refused.headers.get('x-amz-crc32')).toBe(String(crc32(refused.text)))
    expect(JSON.parse(refused.text)).toEqual({
      __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      message: 'The conditional request failed',
    })
  })

  it('refuses in one sentence what the library cannot do, and what this version does not know', async () => {
    const statement = await failure(
      served.client.send(new ExecuteStatementCommand({ Statement: 'SELECT * FROM log' })),
    )
    expect(statement.name).toBe('ValidationException')
    expect(statement.message).toContain('command.unsupported')
    const unknown = await post(served.url, 'GetItem', '{"TableName":"log","Key":{},"Better":true}')
    expect(JSON.parse(unknown.text)).toEqual({
      __type: 'com.amazon.coral.validate#ValidationException',
      message: expect.stringContaining('The parameter Better of GetItemInput is not known to this version'),
    })
  })

  it.each([
    [
      '{"TableName":"log","Item":{"doc":{"S":5}}}',
      'SerializationException',
      'NUMBER_VALUE cannot be converted',
    ],
    ['{"TableName":"log","Item":{"doc":{"B":"***"}}}', 'SerializationException', 'Invalid Base64 string'],
    [
      '{"TableName":"log","Item":{"doc":{"S":"a","N":"1"}}}',
      'ValidationException',
      'more than one datatypes',
    ],
    ['{"TableName":"log","Item":{"doc":{}}}', 'ValidationException', 'Supplied AttributeValue is empty'],
    ['{"TableName":"log","Item":["doc"]}', 'SerializationException', 'Start of list found'],
    ['{"TableName":"log","Item":', 'SerializationException', ''],
    ['[]', 'SerializationException', ''],
    ['{"TableName":"log"}', 'ValidationException', ''],
  ])('answers %s with %s', async (body, type, text) => {
    const answer = await post(served.url, 'PutItem', body)
    expect(answer.status).toBe(400)
    const { __type, ...members } = JSON.parse(answer.text)
    expect(__type).toContain(`#${type}`)
    expect(JSON.stringify(members)).toContain(text)
  })

  it('keeps attributes whose names mean something to JavaScript, or refuses them', async () => {
    const put = (name: string) =>
      `{"TableName":"log","Item":{"doc":{"S":"/odd"},"seq":{"N":"1"},"${name}":{"S":"c"}}}`
    expect((await post(served.url, 'PutItem', put('constructor'))).status).toBe(200)
    const get = JSON.stringify({ TableName: 'log', Key: item('/odd', 1) })
    expect((await post(served.url, 'GetItem', get)).text).toContain('"constructor":{"S":"c"}')
    expect((await post(served.url, 'PutItem', put('__proto__'))).text).toContain('named __proto__')
  })

  it('finds the name of the table however the request spells it', async () => {
    const escaped = '{"TableName":"\\u006cog","Item":{"doc":{"S":"/e"},"seq":{"N":"1"}}}'
    expect((await post(served.url, 'PutItem', escaped)).status).toBe(200)
    const arn = { TableName: 'arn:aws:dynamodb:eu-central-1:000000000000:table/log', Item: item('/e', 2) }
    expect((await post(served.url, 'PutItem', JSON.stringify(arn))).status).toBe(200)
    const compressed = gzipSync(JSON.stringify({ TableName: 'log', Item: item('/e', 3) }))
    const answer = await post(served.url, 'PutItem', compressed, { 'content-encoding': 'gzip' })
    expect(answer.status).toBe(200)
    const { Items = [] } = await served.direct.send(new ScanCommand({ TableName: 'log' }))
    const stored = Items.map(({ doc }) => doc?.S).filter((name) => name?.startsWith('/e'))
    expect(stored).toHaveLength(3)
    for (const name of stored) expect(name).toMatch(/^\/e_[1-4]$/)
  })

  it('passes streams through', async () => {
    const streams = new DynamoDBStreamsClient({ ...SETTINGS, endpoint: served.url })
    const { Streams = [] } = await streams.send(new ListStreamsCommand({ TableName: 'log' }))
    const StreamArn = Streams[0]?.StreamArn
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
    const shards = StreamDescription?.Shards ?? []
    const records = []
    for (const { ShardId } of shards) {
      const { ShardIterator } = await streams.send(
        new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
      )
      const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }))
      records.push(...Records)
    }
    expect(records.length).toBeGreaterThan(20)
    streams.destroy()
  })
})

describe('requests for other tables and operations', () => {
  let served: Served
  beforeAll(async () => {
    served = await serveProxy()
  })
  afterAll(() => served.stop())

  it('pass through byte for byte, as do their answers', async () => {
    const odd =
      '{ "TableName" : "plain",\n "Item": {"doc":{"S":"log"},"seq":{"N":"1.50"},"new":{"S":"\\u00e9"}}, "Unknown": [1] }'
    expect((await post(served.url, 'PutItem', odd)).status).toBe(200)
    for (const [operation, body] of [
      ['GetItem', '{"TableName":"plain","Key":{"doc":{"S":"log"},"seq":{"N":"1.5"}}}'],
      ['GetItem', '{"TableName":"plain","Key":{}}'],
      ['DescribeTable', '{"TableName":"log"}'],
      ['DescribeTable', '{"TableName":"nothing"}'],
      ['Unheard', '{}'],
      ['PutItem', '{"TableName":"plain","Item":{"doc":'],
    ] as const) {
      const [through, direct] = await Promise.all([
        post(served.url, operation, body),
        post(served.upstreamUrl, operation, body),
      ])
      expect(through.text).toBe(direct.text)
      expect(through.status).toBe(direct.status)
      for (const name of ['content-type', 'x-amz-crc32']) {
        expect(through.headers.get(name)).toBe(direct.headers.get(name))
      }
    }
  })

  it('pass through where a request only mentions a sharded table', async () => {
    const Item = item('log', 7, { note: { S: 'log' } })
    await served.client.send(new PutItemCommand({ TableName: 'plain', Item }))
    const { Item: stored } = await served.direct.send(
      new GetItemCommand({ TableName: 'plain', Key: item('log', 7) }),
    )
    expect(stored).toEqual(Item)
    expect((await served.client.send(new ListTablesCommand({}))).TableNames).toEqual(['log', 'plain'])
  })

  it('answers the discovery of endpoints with the proxy itself', async () => {
    const { Endpoints } = await served.client.send(new DescribeEndpointsCommand({}))
    expect(Endpoints?.[0]?.Address).toBe(served.url.replace('http://', ''))
  })

  it.each([
    ['DynamoDB_20111205.PutItem', {}, 400, 'UnknownOperationException'],
    ['Kinesis_20131202.PutRecord', {}, 400, 'UnknownOperationException'],
    ['PutItem', { host: 'evil.example' }, 403, 'AccessDeniedException'],
    ['PutItem', { origin: 'https://evil.example' }, 403, 'AccessDeniedException'],
    ['PutItem', { 'content-encoding': 'br' }, 415, 'MalformedHttpRequestException'],
    ['PutItem', { 'content-encoding': 'gzip' }, 400, 'MalformedHttpRequestException'],
    ['PutItem', { 'content-type': 'application/cbor' }, 404, 'UnknownOperationException'],
    [
      'PutItem',
      { authorization: 'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request' },
      400,
      'InvalidSignatureException',
    ],
  ])('%s with %j is refused with %i', async (operation, headers, status, type) => {
    const answer = await raw(served.proxy.port, operation, headers as Record<string, string>)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toContain(`#${type}`)
  })

  it('reports its health and its metrics', async () => {
    await served.client.send(new PutItemCommand({ TableName: 'log', Item: item('/m', 1) }))
    expect(await (await fetch(`${served.url}/health`)).text()).toBe('healthy\n')
    expect(await (await fetch(served.url)).text()).toContain(served.upstreamUrl)
    const metrics = await (await fetch(`${served.url}/metrics`)).text()
    expect(metrics).toMatch(
      /isotherm_proxy_requests_total\{db_operation_name="PutItem",isotherm_route="sharded",http_response_status_code="200".*\} 1\n/,
    )
    expect(metrics).toMatch(/isotherm_proxy_request_duration_bucket\{.*le="0.01"/)
    expect(metrics).toContain('isotherm_hottest_key_offered')
    expect((await fetch(`${served.url}/nothing`)).status).toBe(404)
    expect((await fetch(served.url, { method: 'DELETE' })).status).toBe(405)
  })
})

/** Sends a request with headers that `fetch` would not send. */
function raw(port: number, operation: string, headers: Record<string, string>, body = '{}'): Promise<string> {
  const target = operation.includes('.') ? operation : `DynamoDB_20120810.${operation}`
  const all = {
    host: '127.0.0.1',
    'x-amz-target': target,
    'content-length': String(body.length),
    connection: 'close',
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`POST / HTTP/1.1\r\n${head.join('')}\r\n${body}`),
    )
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

describe('limits', () => {
  it('refuse a body that is too large, by its header and by its bytes', async () => {
    const served = await serveProxy({ limits: { bodyBytes: 2_000 } })
    const large = JSON.stringify({ TableName: 'plain', Item: item('/x'.repeat(2_000), 1) })
    const { status, text } = await post(served.url, 'PutItem', large)
    expect(status).toBe(413)
    expect(text).toContain('larger than 2000 bytes, the limit limits.bodyBytes')
    const bomb = gzipSync(JSON.stringify({ TableName: 'log', Item: item('a'.repeat(100_000), 1) }))
    expect(bomb.length).toBeLessThan(2_000)
    const inflated = await post(served.url, 'PutItem', bomb, { 'content-encoding': 'gzip' })
    expect(inflated.status).toBe(413)
    await served.client.send(new PutItemCommand({ TableName: 'plain', Item: item('/ok', 1) }))
    await served.stop()
  })

  it('refuse requests above their number and above the size of all bodies, and SDKs try again', async () => {
    const served = await serveProxy({ limits: { requests: 2 } })
    const client = new DynamoDBClient({ ...SETTINGS, endpoint: served.url, maxAttempts: 10 })
    const puts = Array.from({ length: 12 }, (_, at) =>
      client.send(new PutItemCommand({ TableName: 'log', Item: item('/many', at) })),
    )
    const attempts = (await Promise.all(puts)).map(({ $metadata }) => $metadata.attempts ?? 0)
    expect(Math.max(...attempts)).toBeGreaterThan(1)
    client.destroy()
    await served.stop()
    const small = await serveProxy({ limits: { allBodiesBytes: 50 } })
    const body = JSON.stringify({ TableName: 'plain', Item: item('/x'.repeat(50), 1) })
    const { status, text } = await post(small.url, 'PutItem', body)
    expect(status).toBe(503)
    expect(text).toContain('limits.allBodiesBytes is 50')
    await small.stop()
  })

  it('end a request that takes too long', async () => {
    const failures: unknown[] = []
    const local = createLocal({ throttle: false })
    const { url } = await local.listen({ port: 0 })
    const client = new DynamoDBClient({
      ...SETTINGS,
      endpoint: url,
      requestHandler: {
        handle: (_request: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) =>
          new Promise((_resolve, reject) => {
            abortSignal?.addEventListener('abort', () =>
              reject(Object.assign(new Error('aborted'), { name: 'AbortError' })),
            )
          }),
      } as never,
    })
    const proxy = await startProxy({
      client,
      port: 0,
      tables: { log: LOG },
      limits: { requestMilliseconds: 100 },
      onFailure: (error) => failures.push(error),
    })
    const { status, text } = await post(proxy.url, 'GetItem', '{"TableName":"plain"}')
    expect(status).toBe(500)
    expect(text).toContain('ended after 100 ms, the limit limits.request')
    expect(failures).toHaveLength(1)
    await proxy.stop()
    await local.close()
  })
})

describe('the upstream', () => {
  it('that cannot be reached is an answer that SDKs retry, and the operator hears of it', async () => {
    const failures: unknown[] = []
    const client = new DynamoDBClient({ ...SETTINGS, endpoint: 'http://127.0.0.1:9' })
    const proxy = await startProxy({
      client,
      port: 0,
      tables: { log: LOG },
      onFailure: (error, operation) => failures.push([operation, error]),
    })
    for (const table of ['plain', 'log']) {
      const { status, text } = await post(
        proxy.url,
        'GetItem',
        JSON.stringify({ TableName: table, Key: item('/a', 1) }),
      )
      expect({ status, text }).toEqual({
        status: 503,
        text: expect.stringContaining(
          'isotherm: The endpoint that requests are forwarded to cannot be reached',
        ),
      })
    }
    expect(failures).toHaveLength(2)
    await proxy.stop()
  })

  it('gets the credentials of the proxy, and never those of the caller', async () => {
    const local = createLocal({ throttle: false })
    const keys = { accessKeyId: 'proxy', secretAccessKey: 'its own' }
    const { url } = await local.listen({ port: 0, credentials: [keys] })
    const upstream = new DynamoDBClient({ ...SETTINGS, credentials: keys, endpoint: url })
    const caller = { accessKeyId: 'caller', secretAccessKey: 'another' }
    const proxy = await startProxy({ client: upstream, port: 0, tables: { log: LOG }, callers: [caller] })
    const known = new DynamoDBClient({ ...SETTINGS, credentials: caller, endpoint: proxy.url })
    const unknown = new DynamoDBClient({ ...SETTINGS, endpoint: proxy.url })
    expect((await known.send(new ListTablesCommand({}))).TableNames).toEqual([])
    expect((await failure(unknown.send(new ListTablesCommand({})))).name).toBe('UnrecognizedClientException')
    expect((await post(proxy.url, 'ListTables', '{}')).text).toContain('MissingAuthenticationToken')
    for (const client of [known, unknown]) client.destroy()
    await proxy.stop()
    await local.close()
  })
})

describe('stopping', () => {
  it('answers what is in progress, closes connections and releases the port', async () => {
    const served = await serveProxy()
    const puts = Array.from({ length: 20 }, (_, at) =>
      served.client.send(new PutItemCommand({ TableName: 'log', Item: item('/stop', at) })),
    )
    await puts[0]
    await Promise.all([served.proxy.stop(), ...puts.slice(1).map((put) => put.catch(() => undefined))])
    await expect(post(served.url, 'ListTables', '{}')).rejects.toThrow()
    const { Count = 0 } = await served.direct.send(new ScanCommand({ TableName: 'log', Select: 'COUNT' }))
    expect(Count).toBeGreaterThan(0)
    await served.stop()
  })

  it('names the port that is taken', async () => {
    const served = await serveProxy()
    const client = new DynamoDBClient(SETTINGS)
    await expect(startProxy({ client, port: served.proxy.port, tables: {} })).rejects.toMatchObject({
      code: 'endpoint.port-taken',
      message: `Port ${served.proxy.port} on 127.0.0.1 is taken; choose another, or 0 for any that is free.`,
    })
    await served.stop()
  })
})

it('updates and reads of one item meet the same item', async () => {
  const served = await serveProxy()
  const key = { TableName: 'log', Key: item('/u', 1) }
  for (let times = 0; times < 3; times++) {
    await served.client.send(
      new UpdateItemCommand({
        ...key,
        UpdateExpression: 'ADD hits :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    )
  }
  expect((await served.client.send(new GetItemCommand(key))).Item?.hits).toEqual({ N: '3' })
  const query = { TableName: 'log', KeyConditionExpression: 'doc = :f', Select: 'COUNT' } as const
  const counted = await served.client.send(
    new QueryCommand({ ...query, ExpressionAttributeValues: { ':f': { S: '/u' } } }),
  )
  expect(counted.Count).toBe(1)
  await served.stop()
})
