import { request } from 'node:http'
import { connect } from 'node:net'
import { crc32 } from 'node:zlib'
import { table } from '@isotherm/fixtures'
import { afterEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'
import type { Endpoint } from './http-endpoint.js'

let local: Local | undefined
afterEach(() => local?.close())

async function open(bugs: unknown[] = []): Promise<Endpoint> {
  local = createLocal({ onBug: (bug) => bugs.push(bug) })
  return local.listen({ port: 0 })
}

interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly body: string
}

function send(
  port: number,
  body: string | undefined,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request(
      { host: '127.0.0.1', port, method, headers: { connection: 'close', ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          })
        })
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}

const target = (operation: string) => ({ 'x-amz-target': `DynamoDB_20120810.${operation}` })
const signedFor = (region: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=key/20270101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
})
const THINGS = JSON.stringify(table('things', ['pk']))

describe('the HTTP endpoint', () => {
  it('answers AWS JSON 1.0 with a request id and a checksum of the body', async () => {
    const { port } = await open()
    const { status, headers, body } = await send(port, '{}', target('ListTables'))
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/x-amz-json-1.0')
    expect(headers['x-amzn-requestid']).toMatch(/.{20}/)
    expect(headers['x-amz-crc32']).toBe(String(crc32(body)))
    expect(JSON.parse(body)).toEqual({ TableNames: [] })
  })

  it('keeps the tables of different regions separate, whoever signed', async () => {
    const { port } = await open()
    await send(port, THINGS, { ...target('CreateTable'), ...signedFor('ap-south-1') })
    const names = async (region: string) =>
      JSON.parse((await send(port, '{}', { ...target('ListTables'), ...signedFor(region) })).body)
    expect(await names('ap-south-1')).toEqual({ TableNames: ['things'] })
    expect(await names('us-east-1')).toEqual({ TableNames: [] })
  })

  it.each([
    [
      'an operation it does not have',
      '{}',
      target('Fly'),
      'com.amazon.coral.service#UnknownOperationException',
    ],
    ['no target', '{}', {}, 'com.amazon.coral.service#UnknownOperationException'],
    [
      'the target of another service',
      '{}',
      { 'x-amz-target': 'Kinesis_20131202.PutRecord' },
      'com.amazon.coral.service#UnknownOperationException',
    ],
    ['no JSON', '{"TableName"', target('DescribeTable'), 'com.amazon.coral.service#SerializationException'],
    [
      'JSON that is no object',
      '[]',
      target('DescribeTable'),
      'com.amazon.coral.service#SerializationException',
    ],
    [
      'a member of another type',
      '{"TableName":7}',
      target('DescribeTable'),
      'com.amazon.coral.service#SerializationException',
    ],
    ['a missing member', '{}', target('DescribeTable'), 'com.amazon.coral.validate#ValidationException'],
    [
      'a missing table',
      '{"TableName":"nowhere"}',
      target('DescribeTable'),
      'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException',
    ],
  ])("answers %s with the service's own error", async (_, body, headers, type) => {
    const bugs: unknown[] = []
    const { port } = await open(bugs)
    const answer = await send(port, body, headers)
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body).__type).toBe(type)
    expect(bugs).toEqual([])
  })

  it('treats a null member as missing, and rejects null in place of a value', async () => {
    const bugs: unknown[] = []
    const { port } = await open(bugs)
    await send(port, THINGS, target('CreateTable'))
    const ask = async (operation: string, input: object) => {
      const { status, body } = await send(
        port,
        JSON.stringify({ TableName: 'things', ...input }),
        target(operation),
      )
      return { status, ...JSON.parse(body) }
    }
    const nothing = {
      ExpressionAttributeNames: null,
      ExpressionAttributeValues: null,
      ConditionExpression: null,
    }
    expect(await ask('PutItem', { Item: { pk: { S: 'a' } }, ...nothing })).toEqual({ status: 200 })
    expect(
      await ask('GetItem', { Key: { pk: { S: 'a', N: null } }, ProjectionExpression: null }),
    ).toMatchObject({
      status: 200,
      Item: { pk: { S: 'a' } },
    })
    const keys = { things: { Keys: [{ pk: { S: 'a' } }], ProjectionExpression: null, ConsistentRead: null } }
    expect(await ask('BatchGetItem', { RequestItems: keys })).toMatchObject({ status: 200 })
    for (const [operation, input] of [
      ['PutItem', { Item: null }],
      ['PutItem', { Item: { pk: null } }],
      ['PutItem', { Item: { pk: { S: 'a' }, list: { L: [null] } } }],
      ['PutItem', { Item: { pk: { S: 'a' } }, ExpressionAttributeNames: { '#a': null } }],
      ['BatchWriteItem', { RequestItems: { things: null } }],
      ['BatchWriteItem', { RequestItems: { things: [null] } }],
      ['BatchGetItem', { RequestItems: { things: { Keys: [null] } } }],
      ['Query', { Limit: 1.5 }],
      ['Query', { ExclusiveStartKey: { pk: null }, KeyConditionExpression: 'pk = :p' }],
      ['UpdateTable', { GlobalSecondaryIndexUpdates: [null] }],
    ] as const) {
      expect(await ask(operation, input)).toMatchObject({ status: 400 })
    }
    expect(bugs).toEqual([])
  })

  it('answers people and health checks that look for it', async () => {
    const { port } = await open()
    expect(await send(port, undefined, {}, 'GET')).toMatchObject({
      status: 200,
      body: 'healthy: dynamodb.us-east-1.amazonaws.com\n',
    })
    expect((await send(port, undefined, {}, 'PUT')).status).toBe(405)
  })

  it('rejects pages of other origins, and foreign names that resolve to it', async () => {
    const { port } = await open()
    const status = async (headers: Record<string, string>) =>
      (await send(port, '{}', { ...target('ListTables'), ...headers })).status
    expect(await status({ origin: 'https://evil.example' })).toBe(403)
    expect(await status({ origin: 'null' })).toBe(403)
    expect(await status({ host: 'rebound.example' })).toBe(403)
    expect(await status({ origin: 'http://localhost:3000' })).toBe(200)
    expect(await status({ host: `localhost:${port}` })).toBe(200)
  })

  it('rejects a body above the limit without reading the rest', async () => {
    const { port } = await open()
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      let received = ''
      socket.on('data', (data) => {
        received += data.toString()
        socket.destroy()
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(received))
      socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${64 * 1024 * 1024}\r\n\r\n`)
      const chunk = Buffer.alloc(1024 * 1024, 'x')
      for (let sent = 0; sent < 40; sent++) socket.write(chunk)
    })
    expect(answer).toContain('413')
  })

  it('reports which port is taken, and the remedy', async () => {
    const { port } = await open()
    const second = createLocal()
    await expect(second.listen({ port })).rejects.toMatchObject({
      name: 'LocalError',
      code: 'endpoint.port-taken',
      message: `Port ${port} on 127.0.0.1 is taken; choose another, or 0 for any that is free.`,
    })
    await expect(second.listen({ port: 70_000 })).rejects.toMatchObject({ code: 'options.invalid' })
    await second.close()
  })

  it('releases its port when it is closed', async () => {
    const { port } = await open()
    await local?.close()
    local = createLocal()
    expect((await local.listen({ port })).port).toBe(port)
  })
})
