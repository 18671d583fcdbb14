import { Writable } from 'node:stream'
import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { SystemClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { localWithConsole } from '../console/local-with-console.js'
import { ENDING_SIGNALS } from '../interruption.js'
import { isotherm } from '../isotherm.fixture.js'
import { main } from '../main.js'

const local = createLocal()
let endpoint = ''
beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  await local.client().send(
    new CreateTableCommand({
      TableName: 'orders',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  )
})
afterAll(() => local.close())

/** Runs the command until the work with its address is done. */
async function running(args: readonly string[], work: (address: string) => Promise<void>) {
  let out = ''
  const collected = new Writable({
    write(chunk, _encoding, done) {
      out += chunk
      done()
    },
  })
  const before = ENDING_SIGNALS.map((name) => [name, process.listeners(name)] as const)
  const ended = main(['console', '--endpoint', endpoint, '--port', '0', ...args], {
    out: collected,
    err: collected,
    display: undefined,
  })
  let isOver = false
  ended.then(() => {
    isOver = true
  })
  while (!out.includes('Ctrl-C') && !isOver) await new SystemClock().sleep(20)
  try {
    await work(/http:\S+\/_isotherm\//.exec(out)?.[0] ?? '')
  } finally {
    process.emit('SIGINT')
    await ended
    for (const [name, listeners] of before) {
      for (const each of process.listeners(name)) if (!listeners.includes(each)) process.off(name, each)
    }
  }
  return out
}

async function call(address: string, operation: string, headers: Record<string, string> = {}) {
  const { origin } = new URL(address)
  const response = await fetch(origin, {
    method: 'POST',
    headers: {
      origin,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      ...headers,
    },
    body: JSON.stringify({ TableName: 'orders', Item: { id: { S: 'a' } } }),
  })
  return { status: response.status, text: await response.text() }
}

/** The variables of an application that uses the endpoint without naming it. */
function environmentOf(url: string) {
  return {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
  }
}

describe('isotherm console', () => {
  it('serves the console of an endpoint, forwards what the page reads, and refuses writes', async () => {
    const out = await running([], async (address) => {
      const tables = await (await fetch(`${address}v1/tables`)).json()
      expect(tables).toMatchObject({ tables: [{ name: 'orders' }], offers: { endpoint } })
      expect((await call(address, 'DescribeTable')).text).toContain('"TableName":"orders"')
      const put = await call(address, 'PutItem')
      expect(put).toMatchObject({ status: 403, text: expect.stringContaining('--allow-writes') })
      expect((await call(address, 'ExecuteStatement')).text).toContain('the console does not use it')
    })
    expect(out).toContain(`Console of ${endpoint}: http://127.0.0.1:`)
    expect(out).toContain('it only reads')
  })

  it('takes the ARN of a table for its name', async () => {
    const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/orders'
    await running(['--table', arn], async (address) => {
      const tables = await (await fetch(`${address}v1/tables`)).json()
      expect(tables).toMatchObject({ tables: [{ name: 'orders' }] })
    })
    const other = 'arn:aws:dynamodb:eu-west-1:000000000000:table/orders'
    const { code, err } = await isotherm('console', '--endpoint', endpoint, '--table', other)
    expect({ code, err }).toEqual({
      code: 2,
      err: `isotherm: --table is '${other}'; the table orders of this region and account is ${arn}. Check --region, --profile and --endpoint.\n`,
    })
  })

  it('refuses requests of other pages and of programs, also with --allow-writes', async () => {
    await running(['--allow-writes'], async (address) => {
      const refused = { status: 403, text: expect.stringContaining('its own page only') }
      expect(await call(address, 'PutItem', { origin: 'http://127.0.0.1:9' })).toMatchObject(refused)
      expect(await call(address, 'PutItem', { 'sec-fetch-site': 'same-site' })).toMatchObject(refused)
      expect(await call(address, 'PutItem', { 'content-type': 'text/plain' })).toMatchObject(refused)
      expect(await call(address, 'PutItem')).toMatchObject({ status: 200 })
    })
  })

  it('names the address of a console that the endpoint serves itself', async () => {
    const { local: other, site } = localWithConsole({})
    const { url } = await other.listen({ port: 0, site })
    const { code, out } = await isotherm('console', '--endpoint', url)
    expect({ code, out }).toEqual({
      code: 0,
      out: `${url} serves a console itself, with partitions and seconds: ${url}/_isotherm/\n`,
    })
    for (const [name, value] of Object.entries(environmentOf(url))) vi.stubEnv(name, value)
    expect((await isotherm('console')).out).toBe(out)
    vi.unstubAllEnvs()
    await other.close()
  })

  it.each([
    [
      'an endpoint that is not there',
      ['--endpoint', 'http://127.0.0.1:9'],
      /ListTables at http:\/\/127.0.0.1:9 failed: ECONNREFUSED.*Check the address/,
      1,
    ],
    [
      'a port that is no number',
      ['--port', 'x'],
      /--port is 'x'; it must be a whole number from 0 to 65535/,
      2,
    ],
  ] as const)('says in one sentence what is wrong with %s', async (_, args, message, expected) => {
    const { code, err } = await isotherm('console', ...args)
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(code).toBe(expected)
  })
})
