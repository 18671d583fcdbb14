import { fillingRequests, ITEMS, itemAt, MEASURED_OPERATIONS } from '../measured-operations.js'
import type { LoadOrder } from './load-order.js'
import { redisRequest } from './redis-request.js'

/** The headers that the AWS SDK for JavaScript sends. */
const HEAD = [
  'POST / HTTP/1.1',
  'host: 127.0.0.1:8000',
  'content-type: application/x-amz-json-1.0',
  'amz-sdk-invocation-id: 7e5c1e37-8dbd-4bb4-9a5f-1b6a1b1a8b11',
  'amz-sdk-request: attempt=1; max=4',
  'x-amz-user-agent: aws-sdk-js/3.1162.0',
  'x-amz-date: 20261121T100000Z',
  `x-amz-content-sha256: ${'0'.repeat(64)}`,
  `authorization: AWS4-HMAC-SHA256 Credential=any/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=${'0'.repeat(64)}`,
  'connection: keep-alive',
].join('\r\n')

const prepared = new Map<string, readonly Buffer[]>()

/** The bytes of all requests of an order. Those of an operation are prepared once. */
export function preparedRequests({ operation, protocol }: LoadOrder): readonly Buffer[] {
  if (operation === undefined) return FILLING[protocol]()
  const name = `${protocol} ${operation}`
  const known = prepared.get(name)
  if (known !== undefined) return known
  const measured = MEASURED_OPERATIONS.find((each) => each.name === operation)
  if (measured === undefined) throw new Error(`There is no operation ${operation}.`)
  const made = Array.from({ length: measured.requests }, (_, number) =>
    REQUEST[protocol](measured.operation, measured.input(number)),
  )
  prepared.set(name, made)
  return made
}

const FILLING = {
  http: () => Array.from(fillingRequests(), ({ operation, input }) => httpRequest(operation, input)),
  redis: () =>
    Array.from({ length: ITEMS }, (_, number) => redisRequest('PutItem', { Item: itemAt(number) })),
}

const REQUEST = { http: httpRequest, redis: redisRequest }

function httpRequest(operation: string, input: object): Buffer {
  const body = JSON.stringify(input)
  return Buffer.from(
    `${HEAD}\r\nx-amz-target: DynamoDB_20120810.${operation}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
