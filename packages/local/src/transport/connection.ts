import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { Random } from '@isotherm/runtime'
import type { Engine } from '../engine/engine.js'
import { answerCbor, isCbor } from '../wire/aws-cbor.js'
import { answer } from '../wire/aws-json.js'
import { AdaptiveClockRetryStrategy, ClockRetryStrategy, DEFAULT_ATTEMPTS } from './clock-retry-strategy.js'
import { numberedRequestId } from './request-id.js'

/** The part of an SDK client that sends requests. */
export type RequestHandler = Extract<NonNullable<DynamoDBClientConfig['requestHandler']>, { handle: unknown }>

/**
 * Settings that the SDK would otherwise read from the environment and from files at its first request. None of them has
 * a meaning without a network, and reading files takes real time, which a virtual clock does not see.
 */
const NOTHING_TO_LOOK_UP = {
  accountIdEndpointMode: 'disabled',
  authSchemePreference: [],
  defaultsMode: 'standard',
  disableClockSkewCorrection: true,
  endpointDiscoveryEnabled: false,
  ignoreConfiguredEndpointUrls: true,
  retryMode: 'standard',
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  userAgentAppId: '',
} satisfies DynamoDBClientConfig

/** Settings for AWS SDK clients that are served by the engine in this process. */
export interface Connection {
  readonly region: string
  readonly endpoint: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Passes requests to the engine instead of a network. */
  readonly requestHandler: RequestHandler
  readonly maxAttempts: NonNullable<DynamoDBClientConfig['maxAttempts']>
  /** Waits on the engine's clock. */
  readonly retryStrategy: NonNullable<DynamoDBClientConfig['retryStrategy']>
}

/** Settings that connect a client to the engine instead of a network. */
export function connectionTo(
  engine: Engine,
  region: string,
  random: Random,
  onBug: (error: unknown) => void,
  { maxAttempts = DEFAULT_ATTEMPTS, retryMode }: Pick<DynamoDBClientConfig, 'maxAttempts' | 'retryMode'> = {},
): Connection {
  const Strategy = retryMode === 'adaptive' ? AdaptiveClockRetryStrategy : ClockRetryStrategy
  const attempts = async () => (typeof maxAttempts === 'number' ? maxAttempts : await maxAttempts())
  return {
    ...NOTHING_TO_LOOK_UP,
    region,
    maxAttempts,
    endpoint: 'http://isotherm.localhost',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: engineRequestHandler(engine, region, onBug),
    retryStrategy: new Strategy(engine.clock, random, attempts),
  }
}

/**
 * The engine as a request handler for any SDK client. Requests are encoded, signed and decoded as for a socket, and
 * then answered in this process.
 */
export function engineRequestHandler(
  engine: Engine,
  region: string,
  onBug: (error: unknown) => void,
): RequestHandler {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: { path?: string; headers: Record<string, string>; body?: unknown }) {
      const requestId = numberedRequestId(engine)
      const wire = {
        target: request.headers['x-amz-target'],
        authorization: request.headers.authorization,
        host: request.headers.host,
        body: bytesOf(request.body),
      }
      const {
        status,
        headers,
        body: answered,
      } = isCbor(request.headers)
        ? await answerCbor(engine, { ...wire, path: request.path }, region, onBug)
        : await answer(engine, wire, region, onBug)
      const numbered = { ...headers, 'x-amzn-requestid': requestId }
      return { response: { statusCode: status, headers: numbered, body: Buffer.from(answered) } }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  } as unknown as RequestHandler
}

/** The SDK's body class can be converted to text, but warns about it, so only its memory is read. */
function bytesOf(body: unknown): Buffer {
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return Buffer.from(String(body ?? ''))
}
