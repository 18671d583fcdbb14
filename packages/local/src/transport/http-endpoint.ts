import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SystemClock } from '@isotherm/runtime'
import type { Engine } from '../engine/engine.js'
import { LocalError } from '../errors/local-error.js'
import { answerBrokenRequest } from './broken-request.js'
import { type EndpointTimeouts, timeoutsOf } from './endpoint-timeouts.js'
import { type FastLanes, installFastLane } from './fast-lane.js'
import { type Door, serve } from './http-exchange.js'
import { type AccessKey, signatureCheck } from './signature-check.js'

/** Where to listen, and to whom. */
export interface EndpointOptions {
  /** 0 to 65535; 0 takes any free port. */
  readonly port: number
  /** Address to bind to; loopback unless told otherwise. */
  readonly host?: string
  /** Names that requests may use in their `Host` header besides those of this machine's loopback. */
  readonly allowedHosts?: readonly string[]
  /** The access keys that requests must be signed with; any credentials, and none, are accepted without this. */
  readonly credentials?: readonly AccessKey[]
  /** How long clients may take, where that shall differ from the defaults. */
  readonly timeouts?: Partial<EndpointTimeouts>
}

/** A listening endpoint. */
export interface Endpoint {
  readonly url: string
  readonly port: number
  /** Takes no more requests, ends those under way and lets go of the port. */
  close(): Promise<void>
}

const MAX_CONNECTIONS = 4096
/** The service takes no more than this of the line and headers together, and its clients send a tenth of it. */
const MAX_HEADER_BYTES = 16 * 1024
/** What is under way when an endpoint closes has this long to end: answers take less, and broken clients for ever. */
const CLOSING_MILLISECONDS = 1_000

const LOOPBACK = '127.0.0.1'

/**
 * Opens the engine's HTTP door.
 * @throws LocalError `endpoint.port-taken` when the port is in use, `endpoint.option` for one that cannot be.
 */
export async function listen(
  engine: Engine,
  region: string,
  options: EndpointOptions,
  onBug: (error: unknown) => void,
): Promise<Endpoint> {
  const { port, host = LOOPBACK, allowedHosts = [], credentials } = options
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new LocalError(
      'endpoint.option',
      `The port is ${port}; it must be a whole number from 0 to 65535.`,
      { port },
    )
  }
  // Real time whatever the engine's is: clients, their patience and their signatures live outside of it.
  const clock = new SystemClock()
  const door: Door = {
    engine,
    region,
    hosts: [host, ...allowedHosts],
    checkSignature: credentials === undefined ? undefined : signatureCheck(credentials, clock),
    onBug,
  }
  const timeouts = timeoutsOf(options.timeouts)
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: timeouts.requestMilliseconds,
      headersTimeout: timeouts.headersMilliseconds,
      keepAliveTimeout: timeouts.idleMilliseconds,
      connectionsCheckingInterval: timeouts.checkMilliseconds,
      // A request without a host is refused with the others that name none of this machine's.
      requireHostHeader: false,
    },
    (request, response) => serve(door, request, response),
  )
  server.on('checkContinue', (request, response) => serve(door, request, response))
  server.on('checkExpectation', (request, response) => serve(door, request, response))
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, onBug))
  const fastLanes = installFastLane(server, door, timeouts, clock)
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = timeouts.silenceMilliseconds
  await bind(server, port, host)
  const bound = (server.address() as AddressInfo).port
  const shownHost = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shownHost}:${bound}`,
    port: bound,
    close: () => close(server, fastLanes, clock),
  }
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

async function close(server: Server, fastLanes: FastLanes, clock: SystemClock): Promise<void> {
  const closed = new AbortController()
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  fastLanes.close()
  server.closeIdleConnections()
  const late = clock.sleep(CLOSING_MILLISECONDS, closed.signal).then(
    () => {
      fastLanes.abort()
      server.closeAllConnections()
    },
    () => undefined,
  )
  await ended
  closed.abort()
  await late
}
