import { type HttpHandler, HttpResponse } from '@smithy/core/protocols'
import { Agent, type Dispatcher } from 'undici'
import { MAX_ANSWER_BYTES } from './read-answer.js'

type Asked = Parameters<HttpHandler['handle']>[0]
type Options = NonNullable<Parameters<HttpHandler['handle']>[1]>

/** Options of `PooledConnections`. */
export interface PooledConnectionsOptions {
  /** The maximum number of connections to the endpoint. More requests wait. The default is 256. */
  readonly connections?: number | undefined
  /** The time to open a connection. The default is 5 seconds. */
  readonly connectMilliseconds?: number | undefined
}

const DEFAULT_CONNECTIONS = 256
const DEFAULT_CONNECT_MILLISECONDS = 5_000

/** An idle connection saves the next request a TLS handshake. The service closes it before long, too. */
const IDLE_MILLISECONDS = 30_000

/** Errors of a connection that may work on the next attempt. The SDK knows them by their name. */
const TRANSIENT = /^(ECONNRESET|EPIPE|ETIMEDOUT|UND_ERR_SOCKET|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/

/**
 * The connections of a client of the SDK, as its `requestHandler`. A request takes half of the processor time that it takes over the SDK's
 * own connections, because its answer is collected without a stream.
 *
 * @example
 * const client = new DynamoDBClient({ region: 'eu-central-1', requestHandler: new PooledConnections() })
 */
export class PooledConnections implements HttpHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #agent: Agent

  constructor({ connections, connectMilliseconds }: PooledConnectionsOptions = {}) {
    this.#agent = new Agent({
      connections: connections ?? DEFAULT_CONNECTIONS,
      connect: { timeout: connectMilliseconds ?? DEFAULT_CONNECT_MILLISECONDS },
      keepAliveTimeout: IDLE_MILLISECONDS,
      keepAliveMaxTimeout: IDLE_MILLISECONDS,
      maxResponseSize: MAX_ANSWER_BYTES,
    })
  }

  /** @throws errors of the network, with the names that the SDK retries; `AbortError` */
  handle(request: Asked, { abortSignal }: Options = {}): Promise<{ response: HttpResponse }> {
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(abortSignal as AbortSignal | undefined, resolve, reject)
      if (exchange.isOver) return
      const { method, headers, body } = request
      this.#agent.dispatch(
        { origin: originOf(request), path: pathOf(request), method: method as 'POST', headers, body },
        exchange,
      )
    })
  }

  /** Closes all connections. */
  destroy(): void {
    this.#agent.destroy()
  }

  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): Record<string, never> {
    return {}
  }
}

function originOf({ protocol, hostname, port }: Asked): string {
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`
}

function pathOf({ path, query }: Asked): string {
  const parameters = Object.entries(query ?? {})
  if (parameters.length === 0) return path
  const text = new URLSearchParams()
  for (const [name, value] of parameters) {
    for (const each of Array.isArray(value) ? value : [value]) text.append(name, each ?? '')
  }
  return `${path}?${text}`
}

/** One request and its answer. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal | undefined
  readonly #resolve: (answer: { response: HttpResponse }) => void
  readonly #reject: (error: unknown) => void
  readonly #onAbort = () => this.#abort()
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #statusCode = 0
  #headers: Record<string, string> = {}
  isOver = false

  constructor(
    signal: AbortSignal | undefined,
    resolve: (answer: { response: HttpResponse }) => void,
    reject: (error: unknown) => void,
  ) {
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    if (signal?.aborted) this.#abort()
    else signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** The request has a connection. Until now it may have waited for one. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.isOver) controller.abort(abortedBy(this.#signal))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#statusCode = statusCode
    for (const name in headers) {
      const value = headers[name]
      if (value !== undefined) this.#headers[name] = Array.isArray(value) ? value.join(',') : value
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const [first] = this.#chunks
    const body = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    const response = new HttpResponse({ statusCode: this.#statusCode, headers: this.#headers, body })
    this.#end(() => this.#resolve({ response }))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const code = String(Object(error).code)
    this.#end(() =>
      this.#reject(TRANSIENT.test(code) ? Object.assign(error, { name: 'TimeoutError' }) : error),
    )
  }

  /** Closes the connection, because the answer to this request would come before that of the next one. */
  #abort(): void {
    const error = abortedBy(this.#signal)
    this.#end(() => this.#reject(error))
    this.#controller?.abort(error)
  }

  #end(settle: () => void): void {
    if (this.isOver) return
    this.isOver = true
    this.#signal?.removeEventListener('abort', this.#onAbort)
    settle()
  }
}

/** The SDK's own error for an aborted request. */
function abortedBy(signal: AbortSignal | undefined): Error {
  return Object.assign(new Error('Request aborted', { cause: signal?.reason }), { name: 'AbortError' })
}
