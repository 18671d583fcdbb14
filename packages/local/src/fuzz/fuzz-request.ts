import { gzipSync } from 'node:zlib'
import { type Random, randomInteger } from '@isotherm/runtime'
import { OPERATIONS } from '../operations/operations.js'
import type { AnsweredIds } from './answered-ids.js'
import { brokenBytes } from './break-bytes.js'
import { brokenJson } from './break-json.js'
import { bytes, happens, oneOf } from './draw.js'
import { THINGS, validInput } from './valid-input.js'

/** A request to send, and the number of responses it must have. */
export interface FuzzRequest {
  /** The operation that it was made for. */
  readonly operation: string
  readonly bytes: Buffer
  /** `one` response, or `any` number when the bytes may be read as more or fewer requests, or as part of one. */
  readonly expects: 'one' | 'any'
}

/** The share of requests that are valid HTTP. Whatever else is wrong with them, each has a response. */
const WHOLE_SHARE = 0.92

/** Less than the limit of endpoints, because Node counts headers differently. */
const MAX_HEADER_BYTES = 15_000

const NAMES = [...OPERATIONS.keys()]

/**
 * A request of any of the engine's operations, valid or broken.
 *
 * @param ids the ids that it may name.
 */
export function fuzzRequest(random: Random, ids: AnsweredIds): FuzzRequest {
  const { operation, input } = drawInput(random, ids)
  const whole = withHeaders(random, operation, bodyOf(random, input))
  // Headers above the limit close the connection, and drop the responses to earlier requests.
  if (whole.indexOf('\r\n\r\n') > MAX_HEADER_BYTES) return { operation, bytes: whole, expects: 'any' }
  if (happens(random, WHOLE_SHARE)) return { operation, bytes: whole, expects: 'one' }
  return { operation, bytes: brokenBytes(random, whole), expects: 'any' }
}

function drawInput(
  random: Random,
  ids: AnsweredIds,
): { readonly operation: string; readonly input: unknown } {
  // Most requests use this table, so it must exist. It is created again in case a request has deleted it.
  if (happens(random, 0.02)) return { operation: 'CreateTable', input: THINGS }
  const operation = NAMES[randomInteger(random, 0, NAMES.length - 1)] ?? ''
  const shape = OPERATIONS.get(operation)?.shape
  if (shape === undefined || operation === 'DeleteTable') {
    return { operation, input: { TableName: oneOf(random, ['others', 'nowhere', 'restored']) } }
  }
  return { operation, input: validInput(shape, random, ids) }
}

function bodyOf(random: Random, input: unknown): Buffer {
  const valid = () => Buffer.from(JSON.stringify(input))
  return oneOf<() => Buffer>(random, [
    valid,
    valid,
    () => Buffer.from(brokenJson(random, input)),
    () => Buffer.from(brokenJson(random, input)),
    () => brokenBytes(random, valid()),
    () => (happens(random, 0.9) ? Buffer.from(brokenJson(random, input)) : bytes(random, 50)),
  ])()
}

function withHeaders(random: Random, operation: string, body: Buffer): Buffer {
  const isOdd = happens(random, 0.3)
  const odd = (usual: string, choices: readonly [string, ...string[]]) =>
    isOdd && happens(random, 0.3) ? oneOf(random, choices) : usual
  const prefix = /^(DescribeStream|GetRecords|GetShardIterator|ListStreams)$/.test(operation)
    ? 'DynamoDBStreams'
    : 'DynamoDB'
  const target = odd(`${prefix}_20120810.${operation}`, [
    '',
    '.',
    'DynamoDB_20120810.',
    'DynamoDB_20120810.__proto__',
    'Granite',
    'x'.repeat(3000),
  ])
  const lines = [
    `host: ${odd('localhost', ['127.0.0.1:80', '[::1]', 'evil.example', '', 'localhost:99999999'])}`,
    `x-amz-target: ${target}`,
    `content-type: ${odd('application/x-amz-json-1.0', ['application/json', 'text/plain', '', 'application/x-amz-json-1.0; q'])}`,
    `authorization: ${odd(
      'AWS4-HMAC-SHA256 Credential=key/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      ['', 'AWS4-', 'Basic eDp5', 'Credential=a/12345678/mars-1/', `Credential=${'/'.repeat(2000)}`],
    )}`,
  ]
  if (isOdd && happens(random, 0.1))
    lines.push(`origin: ${oneOf(random, ['null', 'http://localhost:1', 'http://evil', '::'])}`)
  if (isOdd && happens(random, 0.1)) lines.push('expect: 100-continue')
  if (isOdd && happens(random, 0.05)) lines.push(`x-filler: ${'y'.repeat(randomInteger(random, 0, 20_000))}`)
  let content = body
  if (isOdd && happens(random, 0.2)) {
    content = oneOf<() => Buffer>(random, [
      () => gzipSync(body),
      () => brokenBytes(random, gzipSync(body)),
      () => body,
    ])()
    lines.push(`content-encoding: ${oneOf(random, ['gzip', 'gzip', 'GZIP', 'identity', 'deflate', ''])}`)
  }
  if (isOdd && happens(random, 0.2)) {
    lines.push('transfer-encoding: chunked')
    content = chunked(random, content)
  } else lines.push(`content-length: ${content.length}`)
  const line = `${odd('POST', ['GET', 'PUT', 'OPTIONS'])} ${odd('/', ['/shell', '/?a=b', '//', '*'])} HTTP/1.1`
  return Buffer.concat([Buffer.from(`${line}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content])
}

function chunked(random: Random, body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const part = body.subarray(at, at + randomInteger(random, 1, 200))
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
    at += part.length
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}
