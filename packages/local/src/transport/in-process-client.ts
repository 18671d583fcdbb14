import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { Random } from '@isotherm/runtime'
import type { Engine } from '../engine/engine.js'
import { answer } from '../wire/aws-json.js'
import { ClockRetryStrategy, DEFAULT_ATTEMPTS } from './clock-retry-strategy.js'
import { installDirectLane } from './direct-lane.js'

type RequestHandler = Extract<NonNullable<DynamoDBClientConfig['requestHandler']>, { handle: unknown }>

/**
 * Settings that the SDK would otherwise look for in the environment and in files at its first request. None of them
 * means anything without a network, and reading files takes real time, which a virtual clock does not see.
 */
const NOTHING_TO_LOOK_UP = {
  accountIdEndpointMode: 'disabled',
  authSchemePreference: [],
  defaultsMode: 'standard',
  endpointDiscoveryEnabled: false,
  ignoreConfiguredEndpointUrls: true,
  retryMode: 'standard',
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  userAgentAppId: '',
} satisfies DynamoDBClientConfig

/** A client that has the engine where others have a network. */
export function inProcessClient(
  engine: Engine,
  region: string,
  random: Random,
  config: DynamoDBClientConfig,
  onBug: (error: unknown) => void,
): DynamoDBClient {
  const { maxAttempts = DEFAULT_ATTEMPTS, region: chosen = region } = config
  const attempts = async () => (typeof maxAttempts === 'number' ? maxAttempts : await maxAttempts())
  const client = new DynamoDBClient({
    ...NOTHING_TO_LOOK_UP,
    maxAttempts,
    endpoint: 'http://isotherm.localhost',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    retryStrategy: new ClockRetryStrategy(engine.clock, random, attempts),
    requestHandler: engineRequestHandler(engine, region, onBug),
    ...config,
    region: chosen,
  })
  installDirectLane(client, engine, chosen)
  return client
}

/**
 * The engine as a request handler, for any client of the SDK: requests are encoded, signed and decoded as they would be
 * for a socket, and then answered in this process.
 */
export function engineRequestHandler(
  engine: Engine,
  region: string,
  onBug: (error: unknown) => void,
): RequestHandler {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: { headers: Record<string, string>; body?: unknown }) {
      const { body } = request
      const bytes = bytesOf(body)
      const wire = {
        target: request.headers['x-amz-target'],
        authorization: request.headers.authorization,
        host: request.headers.host,
        body: bytes,
      }
      const { status, headers, body: answered } = await answer(engine, wire, region, onBug)
      return { response: { statusCode: status, headers, body: Buffer.from(answered) } }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  } as unknown as RequestHandler
}

/** By their memory: `Buffer.from(body)` asks for `valueOf`, which the SDK's bodies answer with a text and a warning. */
function bytesOf(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return Buffer.from(String(body ?? ''))
}
