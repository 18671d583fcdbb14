import { randomUUID } from 'node:crypto'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { withoutBytes } from '../wire/encode-output.js'
import { outputOf } from '../wire/json-values.js'
import { exceptionOf } from './exception-of.js'
import { readAnswer } from './read-answer.js'
import type { Upstream } from './upstream.js'

type Args = { readonly input: Readonly<Record<string, unknown>>; readonly request: unknown }
type Answered = { readonly response: unknown; readonly output?: unknown }
type Next = (args: Args) => Promise<Answered>
type Middleware = (next: Next, context: { readonly commandName?: string }) => Next

/** What an HTTP handler of the SDK answers. */
interface HttpAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The SDK's middleware that the short way replaces, and that nothing here needs. */
const REPLACED = [
  'loggerMiddleware',
  'httpAuthSchemeMiddleware',
  'serializerMiddleware',
  'contentLengthMiddleware',
  'getUserAgentMiddleware',
  'hostHeaderMiddleware',
  'recursionDetectionMiddleware',
  'httpSigningMiddleware',
  'deserializerMiddleware',
]

/** Operations whose repetition is recognised by a token, which the SDK adds. */
const WITH_TOKEN: ReadonlySet<string> = new Set(['TransactWriteItems', 'ExecuteTransaction'])

/** A command for items. */
export interface ItemCommand {
  readonly input: object
  readonly middlewareStack: object
  readonly schema?: readonly unknown[]
}

/** Sends a command for items, with the SDK's options of a request. */
export type ShortSend = (
  command: ItemCommand,
  options?: { readonly abortSignal?: AbortSignal },
) => Promise<unknown>

/**
 * Sends commands for items in a third of the SDK's time. Their inputs and outputs are the JSON of the service, except for
 * bytes, so they need no schema, and all have one endpoint. The SDK's retries and the middleware of commands are used.
 */
export function shortSend(client: DynamoDBClient, upstream: Upstream): ShortSend {
  const stack = shortStack(client, upstream)
  const { requestHandler, logger } = client.config
  return async (command, options = {}) => {
    const context = {
      logger,
      clientName: 'DynamoDBClient',
      commandName: `${operationOf(command)}Command`,
      __smithy_context: { commandInstance: command, ...options },
    }
    const send = ({ request }: { readonly request: unknown }) =>
      requestHandler.handle(request as Parameters<typeof requestHandler.handle>[0], options)
    const all = stack.concat(command.middlewareStack as never)
    const { output } = await all.resolve(send as never, context as never)({ input: command.input as never })
    return output
  }
}

/** The DynamoDB operation of a command, which its schema has as its third entry. */
export function operationOf({ schema }: Pick<ItemCommand, 'schema'>): string {
  return String(schema?.[2])
}

/**
 * The new middleware has the names and the positions of the one it replaces, because the library puts its own beside it. A
 * request is signed where the SDK does it: before the library decides for the last time whether it is sent.
 */
function shortStack(client: DynamoDBClient, upstream: Upstream): DynamoDBClient['middlewareStack'] {
  const stack = client.middlewareStack.clone()
  for (const name of REPLACED) stack.remove(name)
  const serialize: Middleware = (next, context) => {
    const operation = operationIn(context)
    return (args) =>
      next({ ...args, request: Buffer.from(JSON.stringify(withoutBytes(withToken(operation, args.input)))) })
  }
  const sign: Middleware = (next, context) => {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operationIn(context)}`,
      'user-agent': 'isotherm-proxy',
    }
    return async (args) => next({ ...args, request: await upstream.sign(headers, args.request as Buffer) })
  }
  const deserialize: Middleware = (next) => async (args) => {
    const { response } = await next(args)
    return { response, output: await answered(response as HttpAnswer, upstream) }
  }
  stack.add(serialize as never, { step: 'serialize', name: 'serializerMiddleware' })
  stack.addRelativeTo(sign as never, {
    name: 'httpSigningMiddleware',
    relation: 'after',
    toMiddleware: 'retryMiddleware',
  })
  stack.add(deserialize as never, { step: 'deserialize', name: 'deserializerMiddleware' })
  return stack
}

function operationIn({ commandName = '' }: { readonly commandName?: string }): string {
  return commandName.replace(/Command$/, '')
}

function withToken(operation: string, input: Args['input']): Args['input'] {
  if (!WITH_TOKEN.has(operation) || input.ClientRequestToken !== undefined) return input
  return { ...input, ClientRequestToken: randomUUID() }
}

/** @throws the SDK's exception for an error of the service */
async function answered({ statusCode, headers, body }: HttpAnswer, upstream: Upstream): Promise<object> {
  const text = (await readAnswer(body)).toString('utf8')
  const requestId = headers['x-amzn-requestid']
  const $metadata = { httpStatusCode: statusCode, ...(requestId === undefined ? {} : { requestId }) }
  if (statusCode < 300) return { ...outputOf(text), $metadata }
  const isClockCorrected = upstream.learnClock(headers.date)
  const exception = exceptionOf(statusCode, errorMembers(text), {
    ...$metadata,
    ...(isClockCorrected ? { clockSkewCorrected: true } : {}),
  })
  throw Object.assign(exception, { $response: { statusCode, headers } })
}

/** A load balancer answers in HTML. */
function errorMembers(text: string): Record<string, unknown> {
  try {
    return outputOf(text)
  } catch {
    return { message: text.slice(0, 200) }
  }
}
