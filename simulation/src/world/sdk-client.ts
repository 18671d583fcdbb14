import { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import type { Local } from '@isotherm/local'
import type { Network } from './network.js'
import type { Process } from './process.js'
import { ProcessRetries } from './process-retries.js'

interface WireRequest {
  readonly headers: Record<string, string>
  readonly body?: unknown
}

/**
 * The SDK's own client, with the simulated network where it has a connection: every middleware and every retry runs. For a
 * part of the worlds, so that the light client is held against the real one.
 */
export function sdkClient(
  local: Local,
  process: Process,
  network: Network,
  maxAttempts: number,
): DynamoDBClient {
  return new DynamoDBClient({
    ...local.connection(),
    maxAttempts,
    retryStrategy: new ProcessRetries(process, maxAttempts),
    // Nobody reads it, and to make one takes a tenth of all time.
    signer: { sign: async (request: WireRequest) => request },
    requestHandler: {
      metadata: { handlerProtocol: 'http/1.1' },
      async handle(request: WireRequest) {
        const operation = request.headers['x-amz-target']?.split('.')[1] ?? ''
        const input = JSON.parse(textOf(request.body))
        try {
          const { output } = await network.send(process, operation, input)
          const { $metadata: _ours, ...members } = output
          return response(200, members)
        } catch (error) {
          if (!(error instanceof DynamoDBServiceException)) throw error
          const { name, message, $metadata, ...members } = error
          const type = `com.amazonaws.dynamodb.v20120810#${name}`
          return response($metadata.httpStatusCode ?? 400, { ...members, __type: type, message })
        }
      },
    },
  } as never)
}

function response(statusCode: number, body: object) {
  const headers = { 'content-type': 'application/x-amz-json-1.0' }
  const text = JSON.stringify(body, function wire(this: Readonly<Record<string, unknown>>, name, value) {
    // A date is text by the time that it comes here.
    const given = this[name]
    if (given instanceof Date) return given.getTime() / 1_000
    return value?.type === 'Buffer' || value instanceof Uint8Array ? base64(value) : value
  })
  return { response: { statusCode, headers, body: Buffer.from(text) } }
}

function base64(value: Uint8Array | { readonly data: readonly number[] }): string {
  return Buffer.from(value instanceof Uint8Array ? value : value.data).toString('base64')
}

function textOf(body: unknown): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body)
}
