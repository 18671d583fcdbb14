import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpointFailure } from './endpoint-failure.js'
import { isotherm } from './isotherm.fixture.js'

const failed = (members: object) => endpointFailure('orders', Object.assign(new Error(''), members)).message

describe('a failure of an endpoint', () => {
  it.each([
    [
      { name: 'CredentialsProviderError', message: 'Could not load credentials from any providers' },
      'orders: CredentialsProviderError: Could not load credentials from any providers. Give valid credentials: with --profile, in the environment, or by a role. With an --endpoint on this machine, only --profile is used.',
    ],
    [{ message: 'Region is missing' }, 'orders: Region is missing. Name one with --region or AWS_REGION.'],
    [{ name: 'AggregateError', code: 'ECONNREFUSED' }, 'orders: ECONNREFUSED. Check --endpoint and --region'],
    [
      { name: 'ResourceNotFoundException', message: 'Requested resource not found' },
      'orders: ResourceNotFoundException: Requested resource not found. Check --table',
    ],
    [
      { name: 'AccessDeniedException', message: 'not authorized.' },
      'not authorized. Allow these credentials',
    ],
    [
      { code: 'EPROTO', message: 'wrong version number:record.c:350:\n' },
      'orders: EPROTO: wrong version number:record.c:350. Check whether --endpoint has http or https.',
    ],
    [{ name: 'Odd', message: 'It is odd' }, 'orders: Odd: It is odd.'],
  ])('of %j names what helps', (members, text) => {
    expect(failed(members)).toContain(text)
  })
})

const NOWHERE = ['--endpoint', 'http://127.0.0.1:9']

it.each([
  [['hot', '--table', 'orders']],
  [['adopt', '--table', 'orders']],
  [['plan', '--table', 'orders']],
  [['lint', '--table', 'orders']],
  [['shards', 'list', '--table', 'orders']],
  [['migrate', '--table', 'orders', '--to', '2']],
  [['shards', 'rebuild', '--table', 'orders', '--suffix', 'random', '--dry-run']],
  [['unshard', '--table', 'orders', '--suffix', 'random', '--fixed', '2', '--to', 'plain']],
  [['export', '/tmp/isotherm-never-written.jsonl', '--table', 'orders']],
])('isotherm %j is one sentence where nothing listens, and exits 1', async (args) => {
  const { code, out, err } = await isotherm(...args, ...NOWHERE)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/ECONNREFUSED.*Check --endpoint and --region, and that something listens there\.\n$/)
  expect(err.trim().split('\n')).toHaveLength(1)
})

describe('at a server that is no DynamoDB', () => {
  const server = createServer((_request, response) => void response.end('<!doctype html>\n<html></html>\n'))
  let endpoint = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it.each([
    [['hot', '--table', 'orders']],
    [['shards', 'list', '--table', 'orders']],
    [['console', '--port', '0']],
  ])('isotherm %j says so in one sentence, and exits 1', async (args) => {
    const { code, out, err } = await isotherm(...args, '--endpoint', endpoint)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /the response is not JSON, so another server than a DynamoDB listens there\. Check .*--endpoint\.\n$/,
    )
    expect(err).not.toContain('Deserialization')
  })
})

it('does not take another region for wrong credentials', () => {
  const message =
    "Credential should be scoped to a valid region, not 'us-east-1': this proxy serves eu-central-1."
  expect(failed({ name: 'InvalidSignatureException', message })).toBe(
    `orders: InvalidSignatureException: ${message} Give the region of the endpoint with --region.`,
  )
})

it('is a sentence also for what is thrown and is no error', () => {
  expect(endpointFailure('orders', 'gone').message).toBe('orders: gone.')
})
