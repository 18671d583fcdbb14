import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { dynamicShards, isotherm as library } from 'isotherm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'

const local = createLocal({ throttle: false })
let engine = ''
/** The user presses Ctrl-C when this operation is asked for. */
let awaited = ''
/** It is never answered then, or with one item and the place to go on. */
let page: object | undefined
const server = createServer(async (request, response) => {
  const target = String(request.headers['x-amz-target'])
  if (target.endsWith(`.${awaited}`)) {
    awaited = ''
    process.emit('SIGINT')
    if (page === undefined) return
    return void response.end(JSON.stringify({ Items: [page], LastEvaluatedKey: page }))
  }
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target }
  const answer = await fetch(engine, { method: 'POST', headers, body: Buffer.concat(parts) })
  response.statusCode = answer.status
  response.end(await answer.text())
})
let endpoint = ''

beforeAll(async () => {
  engine = (await local.listen({ port: 0 })).url
  const client = local.client()
  for (const name of ['log', 'plain']) await client.send(createTable(name, ['pk', 'at']))
  await client.send(createTable('log_shard_map', ['pk']))
  const log = { partitionKey: 'pk', sortKey: 'at', suffix: 'calculated', shards: dynamicShards() } as const
  const db = library<DynamoDBClient>(client, { tables: { log } })
  for (const at of ['1', '2', '3']) {
    await db.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: "o'brien" }, at: { S: at } } }))
  }
  db.destroy()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await local.close()
})

const KEY = ['--table', 'log', '--key', "o'brien"]

it.each([
  ['DescribeTable', 'shards list', ['--table', 'log']],
  ['Query', 'shards set', [...KEY, '--to', '4', '--dry-run']],
  ['ListTables', 'console', ['--port', '0']],
])('Ctrl-C during a %s ends isotherm %s with the exit code 130', async (operation, command, args) => {
  awaited = operation
  const { code, err } = await isotherm(...command.split(' '), ...args, '--endpoint', endpoint)
  expect(err).not.toContain('AbortError')
  expect(code).toBe(130)
})

it('Ctrl-C ends a check of isotherm adopt with 130 and a key that a shell takes, whatever is in it', async () => {
  awaited = 'Scan'
  page = { pk: { S: "o'brien\u009b\u{e0001}" }, at: { S: '1' } }
  const adopt = ['adopt', '--table', 'plain', '--endpoint', endpoint]
  const { code, out } = await isotherm(...adopt)
  expect(code).toBe(130)
  const [, start = ''] = /Go on with --start '([^']*)'\n$/.exec(out) ?? []
  expect(start).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(start)).toEqual(page)
  expect(await isotherm(...adopt, '--start', start)).toMatchObject({ code: 1 })
})
