import { connect } from 'node:net'
import { crc32, gzipSync } from 'node:zlib'
import { table } from '@isotherm/fixtures'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLocal, type Local } from '../local.js'
import type { EndpointOptions } from './http-endpoint.js'
import { exchange, post } from './raw-client.behaviour.js'

const TABLE = JSON.stringify(table('things', ['pk:B']))
const LIST = post('ListTables', '{}')
const CLOSE = { connection: 'close' }

let local: Local
let bugs: unknown[]
let port: number
beforeEach(() => open())
afterEach(async () => {
  await local.close()
  expect(bugs).toEqual([])
})

async function open(options: Partial<EndpointOptions> = {}): Promise<void> {
  await local?.close()
  bugs = []
  local = createLocal({ onBug: (bug) => bugs.push(bug) })
  port = (await local.listen({ port: 0, ...options })).port
}

const typeOf = (answer: { readonly body: string } | undefined) =>
  String(JSON.parse(answer?.body ?? '{}').__type).split('#')[1]

describe('a connection', () => {
  it('is kept for the next request', async () => {
    const answers = await exchange(port, [LIST, LIST, post('ListTables', '{}', CLOSE)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('answers pipelined requests in their order, valid or not', async () => {
    const requests = [
      post('CreateTable', TABLE),
      post('ListTables', '{}'),
      post('Fly', '{}'),
      post('ListTables', '{', {}),
      post('ListTables', '{}', { 'content-type': 'text/plain' }),
      post('DescribeTable', '{"TableName":"things"}', CLOSE),
    ]
    const answers = await exchange(port, [Buffer.concat(requests)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400, 404, 200])
    expect(JSON.parse(answers[1]?.body ?? '')).toEqual({ TableNames: ['things'] })
  })

  it('accepts a request in pieces of any size', async () => {
    const bytes = post('ListTables', '{ }', CLOSE)
    const pieces = [...bytes].map((byte) => Buffer.from([byte]))
    expect(await exchange(port, pieces)).toMatchObject([{ status: 200 }])
  })

  it('accepts chunked bodies', async () => {
    const head = LIST.toString().replace(
      /content-length.*\r\n/,
      'transfer-encoding: chunked\r\nconnection: close\r\n',
    )
    const chunked = `${head.slice(0, -2)}1\r\n{\r\n4\r\n   }\r\n0\r\n\r\n`
    expect(await exchange(port, [chunked])).toMatchObject([{ status: 200 }])
  })

  it('accepts a request of sixteen megabytes, and none that is larger', async () => {
    const sized = (bytes: number) => {
      const body = (padding: string) => JSON.stringify({ TableName: 'nowhere', padding })
      return post('DescribeTable', body('x'.repeat(bytes - body('').length)), CLOSE)
    }
    const limit = 16 * 1024 * 1024
    expect((await exchange(port, [sized(limit)])).map(typeOf)).toEqual(['ResourceNotFoundException'])
    const larger = { 'content-length': String(limit + 1), ...CLOSE }
    const [refused] = await exchange(port, [post('DescribeTable', '{', larger)])
    expect(refused?.status).toBe(413)
  })
})

describe('a response', () => {
  const BODY = JSON.stringify({ TableName: 'things' })

  it('names its server, as the service does', async () => {
    const [plain, other] = await exchange(port, [
      LIST,
      post('ListTables', '{}', { origin: 'http://localhost', ...CLOSE }),
    ])
    expect([plain?.headers.server, other?.headers.server]).toEqual(['Server', 'Server'])
  })

  it('of more than 4 KB is compressed for clients that accept gzip', async () => {
    await exchange(port, [post('CreateTable', TABLE, CLOSE)])
    const put = (size: number) =>
      post(
        'PutItem',
        JSON.stringify({ TableName: 'things', Item: { pk: { B: 'AA==' }, v: { S: 'x'.repeat(size) } } }),
        CLOSE,
      )
    const scanned = async (headers: Record<string, string>) => {
      const [answer] = await exchange(port, [post('Scan', BODY, { ...headers, ...CLOSE })])
      return answer?.headers ?? {}
    }
    await exchange(port, [put(5_000)])
    const large = await scanned({ 'accept-encoding': 'deflate, gzip;q=0.5' })
    expect(large['content-encoding']).toBe('gzip')
    expect(Number(large['content-length'])).toBeLessThan(500)
    for (const accepted of ['identity', 'gzip;q=0', 'br']) {
      expect(await scanned({ 'accept-encoding': accepted })).not.toHaveProperty('content-encoding')
    }
    await exchange(port, [put(1_000)])
    expect(await scanned({ 'accept-encoding': 'gzip' })).not.toHaveProperty('content-encoding')
  })

  it('of a large batch has the same body in both parsers, and compressed', async () => {
    await exchange(port, [post('CreateTable', TABLE, CLOSE)])
    const keys = ['AA==', 'AQ==', 'Ag=='].map((B) => ({ pk: { B } }))
    for (const key of keys) {
      const Item = { ...key, v: { S: '€'.repeat(130_000) } }
      await exchange(port, [post('PutItem', JSON.stringify({ TableName: 'things', Item }), CLOSE)])
    }
    const batch = JSON.stringify({ RequestItems: { things: { Keys: keys } } })
    const [plain] = await exchange(port, [post('BatchGetItem', batch)], 1)
    const [other] = await exchange(port, [post('BatchGetItem', batch, CLOSE)])
    const [small] = await exchange(port, [
      post('BatchGetItem', batch, { 'accept-encoding': 'gzip', ...CLOSE }),
    ])
    expect(JSON.parse(plain?.body ?? '').Responses.things).toHaveLength(keys.length)
    expect(other?.body).toBe(plain?.body)
    for (const answer of [plain, other]) {
      expect(answer?.headers['x-amz-crc32']).toBe(String(crc32(answer?.body ?? '')))
    }
    expect(small?.headers['content-encoding']).toBe('gzip')
    expect(Number(small?.headers['content-length'])).toBeLessThan(20_000)
  })

  it('to a large form or CBOR body is a refusal, because no request to CloudWatch is as large', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-amz-target': '', ...CLOSE }
    const form = post('', `Action=ListMetrics&a=${'1'.repeat(600_000)}`, headers).toString()
    const asForm = form.replace(/x-amz-target: \r\n/, '')
    expect(await exchange(port, [asForm])).toMatchObject([{ status: 413 }])
    const gzip = gzipSync(`Action=ListMetrics&a=${'1'.repeat(600_000)}`)
    const zipped = post('', gzip, { ...headers, 'content-encoding': 'gzip' })
    const asZipped = Buffer.from(zipped.toString('latin1').replace(/x-amz-target: \r\n/, ''), 'latin1')
    expect(await exchange(port, [asZipped])).toMatchObject([{ status: 413 }])
  })

  it('of two operations on tags has no body', async () => {
    await exchange(port, [post('CreateTable', TABLE, CLOSE)])
    const ResourceArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/things'
    const tag = JSON.stringify({ ResourceArn, Tags: [{ Key: 'a', Value: 'b' }] })
    const untag = JSON.stringify({ ResourceArn, TagKeys: ['a'] })
    const answers = await exchange(port, [post('TagResource', tag), post('UntagResource', untag, CLOSE)])
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, ''],
      [200, ''],
    ])
  })

  it('says that the engine is healthy only at its root', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`
    const [root] = await exchange(port, [get('/')])
    const [other] = await exchange(port, [get('/other')])
    expect([root?.status, other?.status]).toEqual([200, 404])
  })

  it('refuses two hosts and other versions of HTTP', async () => {
    const two = LIST.toString().replace(
      'host: localhost',
      'host: localhost\r\nhost: localhost\r\nconnection: close',
    )
    const version = LIST.toString().replace('HTTP/1.1', 'HTTP/2.0')
    expect((await exchange(port, [two])).map(({ status }) => status)).toEqual([400])
    expect((await exchange(port, [version])).map(({ status }) => status)).toEqual([400])
  })
})

describe('a client that sends Expect: 100-continue', () => {
  const asking = (headers: object) =>
    post('ListTables', '{}', { expect: '100-continue', ...headers, ...CLOSE })

  it('is asked to continue', async () => {
    const answers = await exchange(port, [asking({})])
    expect(answers.map(({ status }) => status)).toEqual([100, 200])
  })

  it.each([
    ['a body that is too large', { 'content-length': String(64 * 1024 * 1024) }, 413],
    ['a foreign host', { host: 'rebound.example' }, 403],
    ['another expectation', { expect: 'miracles' }, 417],
  ])('is rejected for %s without being asked to continue', async (_, headers, status) => {
    const answers = await exchange(port, [asking(headers)])
    expect(answers.map((answer) => answer.status)).toEqual([status])
  })
})

describe('the content of a request', () => {
  it('may be compressed', async () => {
    const body = gzipSync('{"Limit":7}')
    const answers = await exchange(port, [post('ListTables', body, { 'content-encoding': 'gzip', ...CLOSE })])
    expect(answers.map(({ body: text }) => text)).toEqual(['{"TableNames":[]}'])
  })

  it.each([
    ['is no gzip', '{}', 'gzip', 500, 'InternalServerError'],
    ['ends too early', gzipSync('{"Limit":7}').subarray(0, 20), 'gzip', 500, 'InternalServerError'],
    ['is compressed in another way', '{}', 'br', 500, 'InternalServerError'],
    ['is a bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024)), 'gzip', 413, 'RequestEntityTooLargeException'],
  ])('is rejected when it %s', async (_, body, encoding, status, type) => {
    const answers = await exchange(port, [
      post('ListTables', body, { 'content-encoding': encoding, ...CLOSE }),
    ])
    expect(answers.map((answer) => [answer.status, typeOf(answer)])).toEqual([[status, type]])
  })

  it.each([
    ['application/x-amz-json-1.0', 200],
    ['application/x-amz-json-1.0; charset=utf-8', 200],
    ['Application/JSON', 200],
    ['application/x-www-form-urlencoded', 404],
    ['text/plain', 404],
    ['application/cbor', 404],
  ])('of the type %s is answered %i', async (type, status) => {
    const answers = await exchange(port, [post('ListTables', '{}', { 'content-type': type, ...CLOSE })])
    expect(answers.map((answer) => answer.status)).toEqual([status])
  })

  it('gives back the memory of its body once it is answered or refused', async () => {
    const gzip = { 'content-encoding': 'gzip' }
    const large = post('ListTables', gzipSync(`x${' '.repeat(15_000_000)}`), gzip)
    const tooLarge = post('ListTables', gzipSync(`{${' '.repeat(17_000_000)}}`), gzip)
    // Together they take more than all bodies may at a time.
    for (let time = 0; time < 18; time++) {
      expect(await exchange(port, [tooLarge], 1)).toMatchObject([{ status: 413 }])
      expect(await exchange(port, [large], 1)).toMatchObject([{ status: 400 }])
    }
  })

  it('may have keys of any bytes and names of any characters, which are returned unchanged', async () => {
    const item = { pk: { B: '//8AgA==' }, 'ключ 🌡': { S: '\u0000\u2028 "値"' }, ['__proto__']: { S: 'own' } }
    const answers = await exchange(port, [
      post('CreateTable', TABLE),
      post('PutItem', JSON.stringify({ TableName: 'things', Item: item })),
      post('GetItem', JSON.stringify({ TableName: 'things', Key: { pk: item.pk } }), CLOSE),
    ])
    expect(JSON.parse(answers[2]?.body ?? '')).toEqual({ Item: item })
  })
})

describe('a request that is not an API call', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['another version', 'POST / HTTP/9.9\r\n\r\n', 400],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      400,
    ],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
      400,
    ],
    ['headers without end', `POST / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}`, 400],
    ['no host', 'POST / HTTP/1.1\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}', 403],
    ['another path', post('ListTables', '{}', CLOSE).toString().replace('POST /', 'POST /shell'), 404],
    ['another method', 'DELETE / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 405],
  ])('(%s) is rejected with an error that SDKs understand', async (_, bytes, status) => {
    const [answer, ...more] = await exchange(port, [bytes])
    expect(answer?.status).toBe(status)
    expect(typeOf(answer)).toMatch(/^\w+Exception$/)
    expect(more).toEqual([])
  })
})

describe('a client', () => {
  it('that sends its headers too slowly gets a timeout error and is dropped', async () => {
    await open({ timeouts: { headersMilliseconds: 40 } })
    const answers = await exchange(port, ['POST / HTTP/1.1\r\nhost: localhost\r\n'])
    expect(answers.map((answer) => [answer.status, typeOf(answer)])).toEqual([
      [408, 'RequestTimeoutException'],
    ])
  })

  it('that sends its body too slowly gets a timeout error and is dropped', async () => {
    await open({ timeouts: { headersMilliseconds: 20, requestMilliseconds: 40 } })
    const answers = await exchange(port, [LIST.subarray(0, -1)])
    expect(answers.map((answer) => [answer.status, typeOf(answer)])).toEqual([
      [408, 'RequestTimeoutException'],
    ])
  })

  it('that stays idle is dropped', async () => {
    await open({ timeouts: { idleMilliseconds: 40 } })
    expect(await exchange(port, [LIST])).toMatchObject([{ status: 200 }])
  })

  it('that does not read its responses is dropped', async () => {
    await open({ timeouts: { silenceMilliseconds: 100 } })
    await exchange(port, [post('CreateTable', TABLE)], 1)
    const large = { TableName: 'things', Item: { pk: { B: 'AA==' }, v: { S: 'x'.repeat(390_000) } } }
    await exchange(port, [post('PutItem', JSON.stringify(large))], 1)
    // Not in the fast lane, and more than the sockets of a machine keep between two processes.
    const scan = post('Scan', JSON.stringify({ TableName: 'things' }), { 'content-type': 'application/json' })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    for (let times = 0; times < 100; times++) socket.write(scan)
    // Empty lines between requests are ignored. Once the endpoint has closed the connection, they are refused.
    const asking = () => {
      socket.write('\r\n')
      expect(socket.destroyed).toBe(true)
    }
    await vi.waitFor(asking, { timeout: 30_000, interval: 500 })
  })

  it('that disconnects in the middle of its request changes nothing, and others are served', async () => {
    const create = post('CreateTable', TABLE)
    for (const bytes of [10, 100, create.length - 1]) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(create.subarray(0, bytes), () => socket.destroy())
        })
        socket.on('close', () => resolve())
      })
    }
    expect(await exchange(port, [post('ListTables', '{}', CLOSE)])).toMatchObject([
      { body: '{"TableNames":[]}' },
    ])
  })

  it('that sends half a request does not prevent an endpoint from closing', async () => {
    const socket = connect(port, '127.0.0.1')
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('error', () => {})
    await new Promise<void>((resolve) => socket.write(LIST.subarray(0, 30), () => resolve()))
    await local.close()
    await closed
  })
})

describe('a page in a browser', () => {
  const from = (origin: string, headers: object = {}) => ({ origin, ...headers, ...CLOSE })
  const preflight = (origin: string) =>
    `OPTIONS / HTTP/1.1\r\nhost: localhost\r\norigin: ${origin}\r\naccess-control-request-method: POST\r\naccess-control-request-headers: authorization,x-amz-target\r\nconnection: close\r\n\r\n`

  it('of this machine may send requests and read the responses', async () => {
    const [asked] = await exchange(port, [preflight('http://localhost:3000')])
    expect(asked).toMatchObject({
      status: 200,
      body: '',
      headers: {
        'access-control-allow-origin': 'http://localhost:3000',
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': 'authorization,x-amz-target',
        'access-control-max-age': '172800',
      },
    })
    const [answer] = await exchange(port, [post('ListTables', '{}', from('http://localhost:3000'))])
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': 'http://localhost:3000',
        'access-control-expose-headers': expect.stringContaining('x-amz-crc32'),
        vary: 'origin',
      },
    })
  })

  it.each([['https://evil.example'], ['null'], ['http://localhost.evil.example']])(
    'of %s may not send requests, nor read the reason',
    async (origin) => {
      const answers = await exchange(port, [preflight(origin)])
      answers.push(...(await exchange(port, [post('CreateTable', TABLE, from(origin))])))
      expect(answers.map(({ status }) => status)).toEqual([403, 403])
      for (const { headers } of answers) expect(headers).not.toHaveProperty('access-control-allow-origin')
      expect(local.partitions('things')).toEqual([])
    },
  )
})
