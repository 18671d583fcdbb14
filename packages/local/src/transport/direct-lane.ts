import type { DynamoDBClient, DynamoDBServiceException, ServiceOutputTypes } from '@aws-sdk/client-dynamodb'
import type { Engine } from '../engine/engine.js'
import { ServiceError } from '../errors/service-error.js'
import { copyOutput } from './copy-output.js'
import { loadSdk } from './load-sdk.js'
import { numberedRequestId } from './request-id.js'

type Sdk = ReturnType<typeof loadSdk>

/** What the SDK does for a request on its way to a socket, and what nobody sees when there is none. */
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

/**
 * Shortens the way from a client to the engine in the same process: the command's input goes to the engine as it is,
 * and the answer comes back as values, without JSON, signature or HTTP in between.
 *
 * The two middlewares that encode and decode are replaced by two of the same names at the same places, because commands
 * and the document client put theirs relative to these names. Retries, and whatever else hangs on the client, stay.
 */
export function installDirectLane(
  client: DynamoDBClient,
  engine: Engine,
  region: string | (() => Promise<string>),
): void {
  const sdk = loadSdk()
  const stack = client.middlewareStack
  for (const name of FOR_SOCKETS_ONLY) stack.remove(name)
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
        const outcome = await engine.outcome(operation, args.input, where)
        if (outcome instanceof ServiceError) throw exceptionOf(outcome, sdk, requestId)
        const output = copyOutput(outcome)
        output.$metadata = { httpStatusCode: 200, requestId }
        return { output: output as unknown as ServiceOutputTypes, response: {} }
      }
    },
    { step: 'deserialize', name: 'deserializerMiddleware' },
  )
}

/** The SDK's exception for the service's error: its own class where there is one, with all members. */
function exceptionOf(error: ServiceError, sdk: Sdk, requestId: string): Error {
  const { name, message, httpStatus, members } = error
  const $metadata = { httpStatusCode: httpStatus, requestId }
  // The SDK's classes have the names that the service gives its errors.
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
  // Members that the SDK's class does not know are there too, as they are when they come over a socket.
  return Object.assign(exception, copyOutput(members))
}
