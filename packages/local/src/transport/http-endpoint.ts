import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engine } from '../engine/engine.js'
import { LocalError } from '../local-error.js'
import { answer } from '../wire/aws-json.js'
import { isTrustedHost, isTrustedOrigin } from './trusted-host.js'

/** Where to listen. */
export interface EndpointOptions {
  /** 0 to 65535; 0 takes any free port. */
  readonly port: number
  /** Address to bind to; loopback unless told otherwise. */
  readonly host?: string
  /** Names that requests may use in their `Host` header besides those of this machine's loopback. */
  readonly allowedHosts?: readonly string[]
}

/** A listening endpoint. */
export interface Endpoint {
  readonly url: string
  readonly port: number
  /** Takes no more requests, ends those under way and lets go of the port. */
  close(): Promise<void>
}

/** The largest request of the API is a batch of 16 MB; base64 and JSON make it larger on the wire. */
const MAX_BODY_BYTES = 32 * 1024 * 1024
const MAX_CONNECTIONS = 4096
/** A client has this long for its headers and for its whole request, in milliseconds. */
const HEADERS_TIMEOUT = 10_000
const REQUEST_TIMEOUT = 60_000
/** Longer than the SDKs keep idle connections, so that they close first. */
const KEEP_ALIVE_TIMEOUT = 75_000

const LOOPBACK = '127.0.0.1'

/**
 * Opens the engine's HTTP door.
 * @throws LocalError `endpoint.port-taken` when the port is in use, `endpoint.option` for one that cannot be.
 */
export async function listen(
  engine: Engine,
  region: string,
  { port, host = LOOPBACK, allowedHosts = [] }: EndpointOptions,
  onBug: (error: unknown) => void,
): Promise<Endpoint> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new LocalError(
      'endpoint.option',
      `The port is ${port}; it must be a whole number from 0 to 65535.`,
      { port },
    )
  }
  const server = createServer((request, response) => {
    handle(engine, region, [host, ...allowedHosts], request, response, onBug).catch(onBug)
  })
  server.maxConnections = MAX_CONNECTIONS
  server.headersTimeout = HEADERS_TIMEOUT
  server.requestTimeout = REQUEST_TIMEOUT
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT
  await bind(server, port, host)
  const bound = (server.address() as AddressInfo).port
  const shownHost = host.includes(':') ? `[${host}]` : host
  return { url: `http://${shownHost}:${bound}`, port: bound, close: () => close(server) }
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        const message = `Port ${port} on ${host} is taken; choose another, or 0 for any that is free.`
        reject(new LocalError('endpoint.port-taken', message, { port, host }, error))
      } else {
        const message = `Cannot listen on ${host}:${port}: ${error.message}.`
        reject(new LocalError('endpoint.listen', message, { port, host }, error))
      }
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}

async function handle(
  engine: Engine,
  region: string,
  hosts: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
  onBug: (error: unknown) => void,
): Promise<void> {
  // A page in a browser can send requests to loopback: by its own name after rebinding DNS, or from its own origin.
  if (!isTrustedHost(request.headers.host, hosts) || !isTrustedOrigin(request.headers.origin, hosts)) {
    return refuse(request, response, 403, 'This endpoint serves its own machine only.')
  }
  if (request.method === 'GET')
    return refuse(request, response, 200, `healthy: dynamodb.${region}.amazonaws.com`)
  if (request.method !== 'POST') return refuse(request, response, 405, 'DynamoDB requests are POST requests.')
  const body = await readBody(request)
  if (body === 'broken') return
  if (body === 'too-large') {
    return refuse(request, response, 413, `The request is larger than ${MAX_BODY_BYTES} bytes.`)
  }
  const { 'x-amz-target': target, authorization } = request.headers
  const wire = {
    target: Array.isArray(target) ? undefined : target,
    authorization,
    body: body.toString('utf8'),
  }
  const result = await answer(engine, wire, region, onBug)
  response.writeHead(result.status, result.headers)
  response.end(result.body)
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  // What else the client is sending is not read; the connection has to go.
  response.writeHead(status, {
    'content-type': 'text/plain',
    ...(status === 413 ? { connection: 'close' } : {}),
  })
  response.end(`${text}\n`)
  request.resume()
}

/** The whole body, unless the client goes away or sends more than it may. */
function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | 'broken'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) {
        request.removeAllListeners('data')
        resolve('too-large')
      } else chunks.push(chunk)
    })
    request.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)),
    )
    request.on('error', () => resolve('broken'))
    request.on('aborted', () => resolve('broken'))
  })
}
