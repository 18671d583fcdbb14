import { randomUUID } from 'node:crypto'
import * as sdk from '@aws-sdk/client-dynamodb'
import type { Engine } from '../engine/engine.js'
import { ServiceError } from '../wire/service-error.js'
import { copyOutput } from './copy-output.js'

/** Where the SDK's exception classes are found by the names that the service gives its errors. */
const SDK_EXPORTS: ReadonlyMap<string, unknown> = new Map(Object.entries(sdk))

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
 *
 * @param region the client's own, whose tables it sees: no signature tells it here.
 */
export function installDirectLane(
  client: sdk.DynamoDBClient,
  engine: Engine,
  region: string | (() => Promise<string>),
): void {
  const stack = client.middlewareStack
  for (const name of FOR_SOCKETS_ONLY) stack.remove(name)
  stack.add((next) => (args) => next({ ...args, request: {} }), {
    step: 'serialize',
    name: 'serializerMiddleware',
  })
  stack.add(
    (_next, context) => async (args) => {
      const operation = String(context.commandName).replace(/Command$/, '')
      const $metadata = { httpStatusCode: 200, requestId: randomUUID() }
      try {
        const place = typeof region === 'string' ? region : await region()
        const output = copyOutput(await engine.execute(operation, args.input, place))
        return { output: { ...output, $metadata } as sdk.ServiceOutputTypes, response: {} }
      } catch (error) {
        throw error instanceof ServiceError ? exceptionOf(error) : error
      }
    },
    { step: 'deserialize', name: 'deserializerMiddleware' },
  )
}

/** The SDK's exception for the service's error: its own class where there is one, with all members. */
function exceptionOf(error: ServiceError): Error {
  const { name, message, httpStatus, members } = error
  const $metadata = { httpStatusCode: httpStatus, requestId: randomUUID() }
  const known = SDK_EXPORTS.get(name)
  const details = { ...copyOutput(members), message, $metadata }
  if (typeof known === 'function') {
    const exception = new (known as new (options: object) => sdk.DynamoDBServiceException)(details)
    // Members that the SDK's class does not know are kept, as they are when they come over a socket.
    return Object.assign(exception, copyOutput(members))
  }
  const $fault = httpStatus >= 500 ? 'server' : 'client'
  return new sdk.DynamoDBServiceException({ name, $fault, ...details })
}
