import { table } from '@isotherm/fixtures'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'
import { plainRequestAt } from './plain-request.js'
import { exchange, post, type RawAnswer } from './raw-client.behaviour.js'

const TABLE = table('things', ['pk'])
const Item = { pk: { S: 'å 🌡' }, text: { S: 'x'.repeat(90_000) } }
const CLOSE = { connection: 'close' }
const get = JSON.stringify({ TableName: 'things', Key: { pk: Item.pk } })

let local: Local
let port: number
beforeEach(async () => {
  local = createLocal()
  port = (await local.listen({ port: 0 })).port
})
afterEach(() => local.close())

/** Removes the parts that differ between responses. */
function lasting({ status, headers, body }: RawAnswer) {
  const { 'x-amzn-requestid': id, date, connection, 'keep-alive': keepAlive, ...rest } = headers
  expect(id).toMatch(/^[\w-]{36}$/)
  expect(Date.parse(date ?? '')).toBeGreaterThan(0)
  expect(connection ?? keepAlive).toBeDefined()
  return { status, headers: rest, body }
}

describe('a plain request', () => {
  it('is parsed with its body, and the next one begins after it', () => {
    const [first, second] = [post('PutItem', '{"a":"å"}'), post('GetItem', '{}')]
    const both = Buffer.concat([first, second])
    const one = plainRequestAt(both, 0)
    expect(one).toMatchObject({ host: 'localhost', target: 'DynamoDB_20120810.PutItem', bytes: first.length })
    expect(one?.body.toString()).toBe('{"a":"å"}')
    expect(plainRequestAt(both, first.length)?.target).toBe('DynamoDB_20120810.GetItem')
  })

  it('is recognised for any case of its headers, any whitespace around their values and any other headers', () => {
    const text = post('GetItem', '{}', { 'x-more': 'any: thing', connection: 'Keep-Alive' }).toString()
    const odd = text.replace('host: ', 'HOST:\t').replace('content-length: 2', 'Content-LENGTH:2  ')
    expect(plainRequestAt(Buffer.from(odd), 0)).toMatchObject({
      host: 'localhost',
      bytes: Buffer.byteLength(odd),
    })
  })

  const request = post('GetItem', '{}').toString()
  it.each<readonly [string, string]>([
    ['incomplete in its headers', request.slice(0, 40)],
    ['incomplete in its body', request.slice(0, -1)],
    ['of another method', request.replace('POST', 'PUT')],
    ['for another path', request.replace(' / ', ' /x ')],
    ['of another version', request.replace('1.1', '1.0')],
    ['without a host', request.replace(/host: .*\r\n/, '')],
    ['without a length', request.replace(/content-length: .*\r\n/, '')],
    ['of two lengths', request.replace('content-length: 2', 'content-length: 2\r\nContent-Length: 2')],
    ['of a length that is none', request.replace('content-length: 2', 'content-length: +2')],
    ['of an empty length', request.replace('content-length: 2', 'content-length:')],
    ['of a length of many digits', request.replace('content-length: 2', 'content-length: 0000002')],
    ['of a length with a blank inside', request.replace('content-length: 2', 'content-length: 0 2')],
    ['of two content types', request.replace('host', 'content-type: application/x-amz-json-1.0\r\nhost')],
    ['with a header without a name', request.replace('host: localhost', 'host: localhost\r\n: x')],
    ['with a line without a colon', request.replace('host: localhost', 'host: localhost\r\nmore')],
    [
      'longer than heads are',
      request.replace('host: localhost', `host: localhost\r\nx: ${'x'.repeat(8192)}`),
    ],
    ['in small letters', request.replace('POST', 'post')],
    [
      'with a control character that reads as a letter',
      request.replace('localhost', 'localhost\r\nhost\u000d: x'),
    ],
    ['of two hosts', request.replace('host: localhost', 'host: localhost\r\nhost: localhost')],
    ['with a folded header', request.replace('host: localhost', 'host:\r\n localhost')],
    ['with lines that end in their own way', request.replace('localhost\r\n', 'localhost\n')],
    ['with a blank before the colon', request.replace('host:', 'host :')],
    ['with a header beyond ASCII', request.replace('localhost', 'localhost\r\nx: å')],
    ['with a control character', request.replace('localhost', 'localhost\r\nx: \u0000')],
    ...[
      'transfer-encoding: chunked',
      'content-encoding: gzip',
      'expect: 100-continue',
      'origin: null',
      'upgrade: h2c',
      'connection: close',
    ].map((line) => [`with ${line}`, request.replace('host', `${line}\r\nhost`)] as const),
    ['of another content type', request.replace('x-amz-json-1.0', 'json')],
  ])('is left to Node when it is %s', (_, text) => {
    expect(text).not.toBe(request)
    expect(plainRequestAt(Buffer.from(text, 'latin1'), 0)).toBeUndefined()
  })
})

describe('a connection in the fast lane', () => {
  it('gets the same responses as one served by Node', async () => {
    const operations: readonly [string, string][] = [
      ['CreateTable', '{}'],
      ['PutItem', JSON.stringify({ TableName: 'things', Item })],
      ['GetItem', get],
      ['GetItem', '{'],
      ['Fly', '{}'],
      ['Query', JSON.stringify({ TableName: 'nowhere', KeyConditionExpression: 'a = b' })],
    ]
    await exchange(port, [post('CreateTable', JSON.stringify(TABLE), CLOSE)])
    for (const [operation, body] of operations) {
      const [short] = await exchange(port, [post(operation, body)], 1)
      const [long] = await exchange(port, [post(operation, body, { 'content-type': 'application/json' })], 1)
      expect(short === undefined ? 'nothing' : lasting(short)).toEqual(
        long === undefined ? '' : lasting(long),
      )
    }
  })

  it('moves to Node in the middle of pipelined requests, and loses nothing', async () => {
    const long = { 'content-type': 'application/json' }
    const list = (limit: number, headers = {}) =>
      post('ListTables', JSON.stringify({ Limit: limit }), headers)
    const bytes = Buffer.concat([list(1), list(0), list(2, long), list(0, long), list(3), list(4, CLOSE)])
    for (const cut of [bytes.length, 1, 300, 700]) {
      const answers = await exchange(port, [bytes.subarray(0, cut), bytes.subarray(cut)])
      expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 400, 200, 200])
    }
  })

  it('checks the host of each request again', async () => {
    const list = (host: string) => post('ListTables', '{}', { host })
    const bytes = Buffer.concat([
      list('localhost'),
      list('localhost:1'),
      list('localhost'),
      list('evil.example'),
    ])
    const answers = await exchange(port, [bytes], 4)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 403])
  })

  it('gives a slow reader every response, in order', async () => {
    await exchange(port, [
      post('CreateTable', JSON.stringify(TABLE)),
      post('PutItem', JSON.stringify({ TableName: 'things', Item }), CLOSE),
    ])
    const answers = await exchange(
      port,
      [Buffer.concat(Array.from({ length: 40 }, () => post('GetItem', get)))],
      40,
    )
    expect(answers).toHaveLength(40)
    for (const { body } of answers) expect(JSON.parse(body)).toEqual({ Item })
  })

  it('is dropped when it is silent from the start', async () => {
    await local.close()
    local = createLocal()
    port = (await local.listen({ port: 0, timeouts: { headersMilliseconds: 30 } })).port
    expect(await exchange(port, [])).toEqual([])
  })
})
