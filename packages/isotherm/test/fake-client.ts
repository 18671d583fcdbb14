import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { operationOf } from '../src/sdk/operation.js'
import type { AnyCommand } from '../src/sdk/physical-client.js'
import { type FakeTables, Refusal } from './fake-tables.js'

interface WireRequest {
  readonly headers: Record<string, string>
  readonly body?: unknown
}

/** A real SDK client with responses from the fake. Every middleware runs, and no request leaves the process. */
export async function sdkClient(tables: FakeTables): Promise<DynamoDBClient> {
  const client = new DynamoDBClient({
    region: 'local',
    credentials: { accessKeyId: 'fake', secretAccessKey: 'fake' },
    requestHandler: {
      metadata: { handlerProtocol: 'http/1.1' },
      handle: async (request: WireRequest) => answer(tables, request),
    },
  })
  // A client's first request looks for its configuration in files, which virtual time cannot wait for.
  await client.send(new DescribeTableCommand({ TableName: 'none' })).catch(() => {})
  tables.requests.length = 0
  return client
}

/**
 * A client with only the parts that the library uses, including the middleware that observes attempts. It is a hundred
 * times faster, for tests that send many requests.
 */
export function bareClient(tables: FakeTables): DynamoDBClient {
  const send = async (command: AnyCommand) => {
    const attempt: Handler = async () => ({ output: executed(tables, command) })
    const { output } = await watched(command, attempt)({})
    return { $metadata: { attempts: 1 }, ...output }
  }
  const middlewareStack = { applyToStack: () => {} }
  return { send, config: {}, middlewareStack, destroy: () => {} } as unknown as DynamoDBClient
}

type Handler = (args: object) => Promise<{ output: object }>

function watched(command: AnyCommand, attempt: Handler): Handler {
  let handler = attempt
  const add = (middleware: (next: Handler, context: object) => Handler) => {
    handler = middleware(attempt, {})
  }
  command.middlewareStack.applyToStack({ add, addRelativeTo: add, identifyOnResolve: () => false } as never)
  return handler
}

function executed(tables: FakeTables, command: AnyCommand): object {
  try {
    return tables.execute(operationOf(command), command.input)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { type, message, details } = error
    throw Object.assign(new Error(message), { name: type, $metadata: { httpStatusCode: 400 }, ...details })
  }
}

function answer(tables: FakeTables, request: WireRequest) {
  const operation = request.headers['x-amz-target']?.split('.')[1] ?? ''
  try {
    return response(200, tables.execute(operation, JSON.parse(textOf(request.body))))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const status = error.type === 'InternalServerError' ? 500 : 400
    const type = `com.amazonaws.dynamodb.v20120810#${error.type}`
    return response(status, { __type: type, message: error.message, ...error.details })
  }
}

function response(statusCode: number, body: object) {
  const headers = { 'content-type': 'application/x-amz-json-1.0' }
  return { response: { statusCode, headers, body: Buffer.from(JSON.stringify(body)) } }
}

function textOf(body: unknown): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body)
}
