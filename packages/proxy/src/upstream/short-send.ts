import { randomUUID } from 'node:crypto'
import type { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import type { HttpRequest } from '@smithy/core/protocols'
import { encodeValues } from '../wire/encode-output.js'
import { outputOf } from '../wire/json-values.js'
import { exceptionOf } from './exception-of.js'
import { type AttemptArgs, type CommandWithMiddleware, guardedAttempt } from './guarded-attempt.js'
import { readAnswer } from './read-answer.js'
import type { Upstream } from './upstream.js'
import { withRetries } from './with-retries.js'

/** What an HTTP handler of the SDK answers. */
interface HttpAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** An output of the SDK, in the form that its retries expect. */
interface Answered {
  readonly response: unknown
  readonly output: { $metadata: DynamoDBServiceException['$metadata'] }
}

/** Operations whose repetition is recognised by a token, which the SDK adds. */
const WITH_TOKEN: ReadonlySet<string> = new Set(['TransactWriteItems', 'ExecuteTransaction'])

/** A command for items. */
export interface ItemCommand extends CommandWithMiddleware {
  readonly input: object
  readonly schema?: readonly unknown[]
}

/** The SDK's options of a request. The library sets another signal for each attempt. */
interface SendOptions {
  readonly abortSignal?: AbortSignal
}

/** Sends a command for items. Returns `undefined` for one that needs the SDK's middleware stack. */
export type ShortSend = (command: ItemCommand, options?: SendOptions) => Promise<unknown> | undefined

/**
 * Sends commands for items in a fifth of the SDK's time. Their inputs and outputs are the JSON of the service, except for
 * bytes, so they need no schema. All have one endpoint. Of the SDK's middleware only the retries are used, and the library's own, which
 * it adds to its commands. Middleware that was added to the client is not.
 */
export function shortSend({ config }: DynamoDBClient, upstream: Upstream): ShortSend {
  const retried = withRetries(config)
  return (command, options = {}) => {
    const operation = operationOf(command)
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'user-agent': 'isotherm-proxy',
    }
    const { abortSignal } = options
    const context = {
      logger: config.logger,
      __smithy_context: abortSignal === undefined ? {} : { abortSignal },
    }
    const sent = async ({ request }: AttemptArgs): Promise<Answered> => {
      const { response } = await config.requestHandler.handle(request as HttpRequest, options)
      return { response, output: await answered(response, upstream) }
    }
    const guarded = guardedAttempt(command, sent, context)
    if (guarded === undefined) return undefined
    // Signed where the SDK does it: before the library decides for the last time whether the attempt is sent.
    const signed = async ({ input, request }: AttemptArgs) =>
      guarded({ input, request: await upstream.sign(headers, request as Buffer) })
    const body = Buffer.from(encodeValues(withToken(operation, command.input)))
    return retried(signed, { input: command.input, request: body }, context).then(({ output }) => output)
  }
}

/** The DynamoDB operation of a command, which its schema has as its third entry. */
export function operationOf({ schema }: Pick<ItemCommand, 'schema'>): string {
  return String(schema?.[2])
}

function withToken(operation: string, input: object): object {
  if (!WITH_TOKEN.has(operation) || Object(input).ClientRequestToken !== undefined) return input
  return { ...input, ClientRequestToken: randomUUID() }
}

/** @throws the SDK's exception for an error of the service */
async function answered(
  { statusCode, headers, body }: HttpAnswer,
  upstream: Upstream,
): Promise<Answered['output']> {
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
