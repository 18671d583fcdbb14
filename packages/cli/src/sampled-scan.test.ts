import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm } from './isotherm.fixture.js'

const ITEMS = 300
const THROTTLED = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException'
/** More than the SDK tries. */
const REFUSALS = 7

const local = createLocal({ throttle: false })
let engine = ''
let scans = 0
/** Refuses some scans in the middle of a sample, as a table without capacity does. */
const server = createServer(async (request, response) => {
  const target = String(request.headers['x-amz-target'])
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  if (target.endsWith('.Scan') && ++scans > 5 && scans <= 5 + REFUSALS) {
    response.statusCode = 400
    return void response.end(JSON.stringify({ __type: THROTTLED, message: 'The level is exceeded.' }))
  }
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target }
  const answer = await fetch(engine, { method: 'POST', headers, body: Buffer.concat(parts) })
  response.statusCode = answer.status
  response.end(await answer.text())
})
let endpoint = ''

beforeAll(async () => {
  engine = (await local.listen({ port: 0 })).url
  const client = local.client()
  await client.send(createTable('busy', ['pk']))
  for (let item = 0; item < ITEMS; item++)
    await client.send(new PutItemCommand({ TableName: 'busy', Item: { pk: { S: `${item}` } } }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await local.close()
})

describe('the sample of a table that is throttled meanwhile', () => {
  const NOTE = 'isotherm: reads of busy are throttled; the sample waits for capacity\n'

  it('waits for capacity, says so once, and has all of its items', async () => {
    scans = 0
    const args = ['--table', 'busy', '--sample', '280', '--json', '--endpoint', endpoint]
    const { code, out, err } = await isotherm('hot', ...args)
    expect(JSON.parse(out)).toMatchObject({ sampledItems: 280 })
    expect({ code, err }).toEqual({ code: 0, err: NOTE })
    expect(scans).toBeGreaterThan(5 + REFUSALS)
  })

  it('also for lint', async () => {
    scans = 0
    const args = ['--table', 'busy', '--sample', '280', '--fail-on', 'never', '--endpoint', endpoint]
    const { code, err } = await isotherm('lint', ...args)
    expect(err).toMatch(/^isotherm: reads of busy are throttled.*\nisotherm: 280 items sampled for/)
    expect(code).toBe(0)
  })
})
