import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { SystemClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLocal, type Local } from '../local.js'
import { exchange, post } from './raw-client.behaviour.js'

const KEY = { accessKeyId: 'AKIDLOCAL', secretAccessKey: 'wJalrXUtnFEMI/local' }
const CLOSE = { connection: 'close' }

let local: Local
let port: number
beforeEach(async () => {
  local = createLocal()
  port = (await local.listen({ port: 0, credentials: [KEY] })).port
})
afterEach(() => local.close())

function clientWith(credentials: typeof KEY, more: object = {}): DynamoDBClient {
  return new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-north-1',
    credentials,
    maxAttempts: 1,
    ...more,
  })
}

const listed = async (client: DynamoDBClient) => {
  try {
    return (await client.send(new ListTablesCommand({}))).TableNames
  } finally {
    client.destroy()
  }
}

interface SentRequest {
  readonly headers: Record<string, string | string[]>
  query: Record<string, string | string[]>
  body: string
}
type RequestChange = (request: SentRequest) => void

/** Changes a request after it was signed and before it is sent. */
function tampering(change: RequestChange): DynamoDBClient {
  return changing({ signed: () => {}, sent: change })
}

/** Changes a request before it is signed, and again before it is sent. */
function changing({ signed, sent }: { signed: RequestChange; sent: RequestChange }): DynamoDBClient {
  const client = clientWith(KEY)
  client.middlewareStack.add(
    (next) => (args) => {
      signed(args.request as SentRequest)
      return next(args)
    },
    { step: 'build', priority: 'low' },
  )
  client.middlewareStack.add(
    (next) => (args) => {
      sent(args.request as SentRequest)
      return next(args)
    },
    { step: 'deserialize', priority: 'high' },
  )
  return client
}

const now = new SystemClock().now()
const dateAt = (minutes: number) => new Date(now + minutes * 60_000).toISOString().replace(/[-:]|\.\d+/g, '')
const DATE = dateAt(0)
const authorization = (overrides: Record<string, string> = {}) => {
  const parts = {
    Credential: `${KEY.accessKeyId}/${DATE.slice(0, 8)}/us-east-1/dynamodb/aws4_request`,
    SignedHeaders: 'host;x-amz-date;x-amz-target',
    Signature: '0'.repeat(64),
    ...overrides,
  }
  return `AWS4-HMAC-SHA256 ${Object.entries(parts)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')}`
}
const refusal = async (headers: Record<string, string>) => {
  const [answer] = await exchange(port, [post('ListTables', '{}', { ...headers, ...CLOSE })])
  expect(answer?.status).toBe(400)
  const { __type, message } = JSON.parse(answer?.body ?? '{}')
  return `${String(__type).split('#')[1]}: ${message}`
}

describe('an endpoint with credentials', () => {
  it('accepts requests that the SDK signs with one of its keys, for any region', async () => {
    expect(await listed(clientWith(KEY))).toEqual([])
    expect(await listed(clientWith(KEY, { region: 'us-west-2' }))).toEqual([])
  })

  it('accepts requests that are signed after the machine has slept for a night', async () => {
    const calendar = vi.spyOn(Date, 'now')
    try {
      const evening = Date.now()
      calendar.mockImplementation(() => evening + 8 * 3_600_000)
      expect(await listed(clientWith(KEY))).toEqual([])
    } finally {
      calendar.mockRestore()
    }
  })

  it('rejects an unknown key, and a known key with another secret', async () => {
    await expect(listed(clientWith({ ...KEY, accessKeyId: 'AKIDOTHER' }))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    })
    await expect(listed(clientWith({ ...KEY, secretAccessKey: 'other' }))).rejects.toMatchObject({
      name: 'InvalidSignatureException',
      message: expect.stringContaining('does not match the signature you provided'),
    })
  })

  it('rejects a request that was changed after it was signed', async () => {
    const changes: RequestChange[] = [
      (request) => {
        request.body = '{ }'
        request.headers['content-length'] = '3'
      },
      ({ headers }) => {
        headers['x-amz-target'] = 'DynamoDB_20120810.DeleteTable'
      },
      ({ headers }) => {
        headers.authorization = String(headers.authorization).replace('eu-north-1', 'us-east-1')
      },
      (request) => {
        request.query = { added: 'later' }
      },
    ]
    for (const change of changes) {
      await expect(listed(tampering(change))).rejects.toMatchObject({ name: 'InvalidSignatureException' })
    }
  })

  it.each([
    ['two parameters', { b: '2', a: '1' }],
    ['a parameter that is given twice', { a: ['2', '10', '1'] }],
    ['parameters of which one name begins with the other', { 'a-b': '1', a: '2', a0: '3' }],
    ['an empty value', { flag: '' }],
    ['escaped characters', { 'key ü': "a/b+c d=e&f~*'()!" }],
  ])('accepts a signed query string: %s', async (_, query) => {
    const signed: RequestChange = (request) => {
      request.query = query
    }
    expect(await listed(changing({ signed, sent: () => {} }))).toEqual([])
  })

  it('accepts a signed header that is sent in several lines, in their order', async () => {
    const lines = ['b', 'a  c ', 'a, b']
    const withLines =
      (value: string | string[]): RequestChange =>
      ({ headers }) => {
        headers['x-amz-lines'] = value
      }
    expect(await listed(changing({ signed: withLines('b,a c,a, b'), sent: withLines(lines) }))).toEqual([])
    await expect(
      listed(changing({ signed: withLines('b,a c,a, b'), sent: withLines(lines.toReversed()) })),
    ).rejects.toMatchObject({ name: 'InvalidSignatureException' })
  })

  it('rejects a signature more than fifteen minutes in the past or future', async () => {
    const at = (minutes: number) => {
      const date = dateAt(minutes)
      const Credential = `${KEY.accessKeyId}/${date.slice(0, 8)}/us-east-1/dynamodb/aws4_request`
      return refusal({ 'x-amz-date': date, authorization: authorization({ Credential }) })
    }
    expect(await at(-16)).toMatch(
      /^InvalidSignatureException: Signature expired: .* is now earlier than .* - 15 min\.\)$/,
    )
    expect(await at(16)).toMatch(
      /^InvalidSignatureException: Signature not yet current: .* is still later than .* \+ 15 min\.\)$/,
    )
    expect(await at(-14)).toContain('does not match the signature you provided')
  })

  it.each([
    [{}, 'MissingAuthenticationTokenException: Request is missing Authentication Token'],
    [
      { authorization: 'Bearer token' },
      'MissingAuthenticationTokenException: Request is missing Authentication Token',
    ],
    [
      { authorization: 'AWS4-HMAC-SHA256' },
      "IncompleteSignatureException: Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=AWS4-HMAC-SHA256",
    ],
    [
      { 'x-amz-date': DATE, authorization: authorization().replace('SHA256', 'SHA512') },
      "IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA512' (only AWS4-HMAC-SHA256 for now). ",
    ],
    [
      { 'x-amz-date': DATE, authorization: authorization({ Credential: 'a/b' }) },
      "IncompleteSignatureException: Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got 'a/b'",
    ],
    [
      { 'x-amz-date': 'yesterday', authorization: authorization() },
      "IncompleteSignatureException: Date must be in ISO-8601 'basic format'. Got 'yesterday'. See http://en.wikipedia.org/wiki/ISO_8601",
    ],
    [
      {
        'x-amz-date': DATE,
        authorization: authorization({ Credential: `AKIDLOCAL/20150101/us-east-1/dynamodb/aws4_request` }),
      },
      `InvalidSignatureException: Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20150101' != '${DATE.slice(0, 8)}', from '${DATE}'.`,
    ],
    [
      {
        'x-amz-date': DATE,
        authorization: authorization({
          Credential: `AKIDLOCAL/${DATE.slice(0, 8)}/us-east-1/s3/aws4_request`,
        }),
      },
      "InvalidSignatureException: Credential should be scoped to correct service: 'dynamodb'.",
    ],
    [
      {
        'x-amz-date': DATE,
        authorization: authorization({ Credential: `AKIDLOCAL/${DATE.slice(0, 8)}/us-east-1/dynamodb/aws5` }),
      },
      "InvalidSignatureException: Credential should be scoped with a valid terminator: 'aws4_request', not 'aws5'.",
    ],
    [
      { 'x-amz-date': DATE, authorization: authorization({ SignedHeaders: 'x-amz-date;x-amz-target' }) },
      "InvalidSignatureException: 'Host' must be a 'SignedHeader' in the AWS Authorization.",
    ],
    [
      { 'x-amz-date': DATE, authorization: authorization({ SignedHeaders: 'host;x-amz-date' }) },
      "InvalidSignatureException: 'x-amz-target' must be a 'SignedHeader' in the AWS Authorization.",
    ],
  ])('refuses a header that is none of its own (%#)', async (headers: Record<string, string>, text) => {
    expect(await refusal(headers)).toBe(text)
  })

  it.each(['constructor', '__proto__'])('does not take %s for a header of the request', async (name) => {
    const signed = authorization({ SignedHeaders: `host;x-amz-date;x-amz-target;${name}` })
    expect(await refusal({ 'x-amz-date': DATE, authorization: signed })).toContain(
      'does not match the signature you provided',
    )
  })

  it('does not require a signature from browsers and probes', async () => {
    const answers = await exchange(port, ['GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'])
    expect(answers).toMatchObject([{ status: 200 }])
  })
})
