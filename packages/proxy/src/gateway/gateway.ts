import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { parseJsonBody, ServiceError } from '@isotherm/local/service'
import type { Clock } from '@isotherm/runtime'
import { type IsothermMethods, type IsothermOptions, isotherm } from 'isotherm'
import type { Upstream } from '../upstream/upstream.js'
import type { UpstreamEndpoint } from '../upstream/upstream-endpoint.js'
import { type Upstreams, upstreamsOf } from '../upstream/upstreams.js'
import { errorAnswer, outputAnswer } from '../wire/answers.js'
import { type Operation, operationOf } from '../wire/service-of.js'
import { WireAnswer, type WireRequest } from '../wire/wire-message.js'
import { behindTheProxy, shardMapsOf, tableOfCard } from './behind-the-proxy.js'
import { CredentialFailures } from './credential-failures.js'
import { ITEM_OPERATIONS, type ItemOperation } from './item-operations.js'
import { PassingClient } from './passing-client.js'
import { requireRegion } from './require-region.js'
import { serviceErrorOf } from './service-error-of.js'
import { concerning, mentioning } from './table-names.js'

/** Which way a request took. */
type Route = 'sharded' | 'passed' | 'refused'

/** The outcome of a request. */
export interface Routed {
  readonly answer: WireAnswer
  readonly route: Route
  /** The operation's name, if the request has a valid one. */
  readonly operation: string | undefined
  /** An error whose cause is the proxy, its configuration or its upstream. */
  readonly failure: unknown
}

/** The dependencies of a gateway. */
export interface GatewayParts {
  /** The client of the upstream. */
  readonly client: DynamoDBClient
  readonly options: IsothermOptions
  readonly clock: Clock
  /** Throws for an upstream that must not be used, which is then not asked. */
  readonly checkUpstream?: (endpoint: UpstreamEndpoint) => void
  /** Called once when the proxy has no valid credentials for its upstream. Requests that fail for this reason have no other `failure`. */
  readonly onCredentialFailure?: (error: unknown, operation: string | undefined) => void
}

/**
 * Executes requests of the DynamoDB API. A request for items of a sharded table goes through the library. All others are
 * forwarded byte for byte.
 *
 * It has no socket, so tests run it on virtual time.
 */
export class Gateway {
  /** The client of the library, for its heat and its manual controls. */
  readonly db: DynamoDBClient & IsothermMethods
  readonly #client: DynamoDBClient
  readonly #upstreams: Upstreams
  readonly #passing: PassingClient
  readonly #mentions: (body: Buffer) => boolean
  readonly #concerns: (input: unknown) => boolean
  readonly #shardMaps: ReadonlyMap<string, string>
  readonly #credentials: CredentialFailures

  /** @throws IsothermError for an invalid option of the library */
  constructor(parts: GatewayParts) {
    const { client, options, clock } = parts
    const { checkUpstream = () => undefined, onCredentialFailure = () => undefined } = parts
    this.#credentials = new CredentialFailures(onCredentialFailure)
    this.#client = client
    this.#upstreams = upstreamsOf(client, clock, checkUpstream)
    this.#passing = new PassingClient(client, this.#upstreams.dynamodb)
    const names = Object.keys(options.tables)
    this.#shardMaps = shardMapsOf(options.tables)
    this.#mentions = mentioning([...names, ...this.#shardMaps.keys()])
    this.#concerns = concerning(names)
    this.db = isotherm(this.#passing.client, { clock, ...options })
  }

  /** The upstream of item and table operations. */
  get upstream(): Upstream {
    return this.#upstreams.dynamodb
  }

  /** Never rejects: errors become answers in the service's form. */
  async execute(request: WireRequest, signal: AbortSignal): Promise<Routed> {
    return this.#credentials.noted(await this.#execute(request, signal))
  }

  async #execute(request: WireRequest, signal: AbortSignal): Promise<Routed> {
    let operation: Operation | undefined
    let route: Route = 'refused'
    try {
      operation = operationOf(request.target)
      requireRegion(request.headers.authorization, await this.#client.config.region())
      if (operation.name === 'DescribeEndpoints') {
        return { answer: ownEndpoint(request), route, operation: operation.name, failure: undefined }
      }
      const item = operation.service === 'dynamodb' ? ITEM_OPERATIONS.get(operation.name) : undefined
      const upstream = this.#upstreams[operation.service]
      const pass = () => upstream.forward(request, signal)
      const input = item && this.#mentions(request.text) ? parsed(request.text) : undefined
      const table = tableOfCard(this.#shardMaps, operation.name, input)
      if (table !== undefined) throw behindTheProxy(table, await this.upstream.address())
      route = 'passed'
      if (item === undefined || !this.#concerns(input)) {
        return { answer: await pass(), route, operation: operation.name, failure: undefined }
      }
      route = 'sharded'
      const output = await this.#send(item, input, pass, signal)
      const isPassed = output instanceof WireAnswer
      return {
        answer: isPassed ? output : outputAnswer(output),
        route: isPassed ? 'passed' : route,
        operation: operation.name,
        failure: undefined,
      }
    } catch (error) {
      const { error: explained, requestId, isOurs } = serviceErrorOf(error)
      return {
        answer: errorAnswer(explained, requestId),
        route,
        operation: operation?.name,
        failure: isOurs ? error : undefined,
      }
    }
  }

  /** Stops background work of the library and closes the connections of the client. */
  destroy(): void {
    this.db.destroy()
  }

  #send(
    { decode, command: commandOf }: ItemOperation,
    input: unknown,
    pass: () => Promise<WireAnswer>,
    abortSignal: AbortSignal,
  ): Promise<object> {
    const command = commandOf(decode(input))
    this.#passing.remember(command, pass)
    return this.db.send(command, { abortSignal })
  }
}

/** The upstream says what is wrong with a body that is not JSON, because it cannot be for a table. */
function parsed(text: Buffer): unknown {
  try {
    return parseJsonBody(text)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** SDKs that discover endpoints would otherwise bypass the proxy. */
function ownEndpoint({ headers }: WireRequest): WireAnswer {
  if (headers.host === undefined) throw new ServiceError('ValidationException', 'The Host header is missing.')
  return outputAnswer({ Endpoints: [{ Address: headers.host, CachePeriodInMinutes: 1440 }] })
}
