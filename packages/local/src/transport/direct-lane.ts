import type { DynamoDBClient, DynamoDBServiceException, ServiceOutputTypes } from '@aws-sdk/client-dynamodb'
import type { Engine } from '../engine/engine.js'
import { ServiceError } from '../errors/service-error.js'
import { copyOutput } from './copy-output.js'
import { keepOrders } from './keep-orders.js'
import { loadSdk } from './load-sdk.js'
import { numberedRequestId } from './request-id.js'
import { NO_ENDPOINT, resolveNoEndpoint } from './resolve-no-endpoint.js'
import { spareLogCopies } from './spare-log-copies.js'

type Sdk = ReturnType<typeof loadSdk>
type Stack = DynamoDBClient['middlewareStack']

/** SDK middleware that only matters for requests over a socket. */
const FOR_SOCKETS_ONLY = [
  'serializerMiddleware',
  'deserializerMiddleware',
  'httpSigningMiddleware',
  'httpAuthSchemeMiddleware',
  'hostHeaderMiddleware',
  'recursionDetectionMiddleware',
  'getUserAgentMiddleware',
  'contentLengthMiddleware',
]

export interface DirectLaneSettings {
  readonly region: string | (() => Promise<string>)
  readonly hasLogger: boolean
}

/**
 * Connects a client directly to the engine in the same process. The engine receives the command's input and returns the
 * output as values, without JSON, signature or HTTP in between.
 *
 * The middlewares that encode and decode are replaced by two with the same names at the same positions, because
 * commands and the document client position theirs relative to these names. So is the one that resolves an endpoint.
 * Retries and all other middleware remain.
 */
export function installDirectLane(
  client: DynamoDBClient,
  engine: Engine,
  { region, hasLogger }: DirectLaneSettings,
): void {
  const sdk = loadSdk()
  const stack = client.middlewareStack
  for (const name of FOR_SOCKETS_ONLY) stack.remove(name)
  resolveNoEndpoint(stack)
  if (!hasLogger) spareLogCopies(client)
  stack.add((next) => (args) => next({ ...args, request: {} }), {
    step: 'serialize',
    name: 'serializerMiddleware',
  })
  stack.add(
    (_next, context) => {
      const operation = String(context.commandName).replace(/Command$/, '')
      return async (args) => {
        const requestId = numberedRequestId(engine)
        const where = typeof region === 'string' ? region : await region()
        const answer = engine.outcome(operation, args.input, where)
        // In memory, the answer is there at once.
        const outcome = answer instanceof Promise ? await answer : answer
        if (outcome instanceof ServiceError) throw exceptionOf(outcome, sdk, requestId)
        const output = copyOutput(outcome)
        output.$metadata = { httpStatusCode: 200, requestId }
        return { output: output as unknown as ServiceOutputTypes, response: {} }
      }
    },
    { step: 'deserialize', name: 'deserializerMiddleware' },
  )
  keepOrders(stack, NO_ENDPOINT, () => new sdk.ListTablesCommand({}).middlewareStack as unknown as Stack)
}

/** The SDK's exception for the service's error: its own class, if there is one, with all members. */
function exceptionOf(error: ServiceError, sdk: Sdk, requestId: string): Error {
  const { name, message, httpStatus, members } = error
  const $metadata = { httpStatusCode: httpStatus, requestId }
  // The SDK's classes are named after the service's errors.
  const known: unknown = Object.hasOwn(sdk, name) ? sdk[name as keyof Sdk] : undefined
  const details = { message, $metadata }
  const exception =
    typeof known === 'function'
      ? new (known as new (options: object) => DynamoDBServiceException)(details)
      : new sdk.DynamoDBServiceException({
          name,
          $fault: httpStatus >= 500 ? 'server' : 'client',
          ...details,
        })
  // Members unknown to the SDK's class are included, as they are over a socket.
  return Object.assign(exception, copyOutput(members))
}
