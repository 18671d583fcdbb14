import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SystemClock } from '@isotherm/runtime'
import type { Engine } from '../engine/engine.js'
import { LocalError } from '../errors/local-error.js'
import { checked } from '../options/rules.js'
import { BodyAllowance } from './body-allowance.js'
import { answerBrokenRequest } from './broken-request.js'
import { ENDPOINT } from './endpoint-rules.js'
import { type EndpointTimeouts, timeoutsOf } from './endpoint-timeouts.js'
import { type FastLanes, installFastLane } from './fast-lane.js'
import { type Door, type Site, serve } from './http-exchange.js'
import { type AccessKey, signatureCheck } from './signature-check.js'
import { hostHeaderOf } from './trusted-host.js'

/** Where to listen, and which requests to accept. */
export interface EndpointOptions {
  /** 0 to 65535; 0 takes any free port. */
  readonly port: number
  /** The address to bind to. The default is loopback. */
  readonly host?: string | undefined
  /**
   * Names that requests may use in their `Host` header, in addition to those of this machine's loopback. Without scheme and
   * port, such as `dynamodb`.
   */
  readonly allowedHosts?: readonly string[] | undefined
  /**
   * The access keys that requests must be signed with. Without this option, any credentials and unsigned requests are
   * accepted.
   */
  readonly credentials?: readonly AccessKey[] | undefined
  /** Time limits for clients that differ from the defaults. */
  readonly timeouts?: Partial<EndpointTimeouts> | undefined
  /** Pages beside the API, such as those of the console. Not served to anyone when `credentials` are required. */
  readonly site?: Site | undefined
}

export type { Site }

/** A listening endpoint. */
export interface Endpoint {
  /** The URL for clients, such as `http://127.0.0.1:8000`. */
  readonly url: string
  readonly port: number
  /** Accepts no more requests, ends the current ones and releases the port. */
  close(): Promise<void>
}

/** Connections above these are closed at once. */
export const MAX_CONNECTIONS = 4096
/** The service accepts no more than this for the request line and headers together. Its clients send a tenth of it. */
const MAX_HEADER_BYTES = 16 * 1024
/**
 * How long current requests may continue when an endpoint closes. Responses take less, and stuck clients would take
 * forever.
 */
const CLOSING_MILLISECONDS = 1_000

const LOOPBACK = '127.0.0.1'

/**
 * Opens an HTTP endpoint of the engine.
 * @throws LocalError `endpoint.port-taken` when the port is in use, `options.invalid` or `options.unknown` for its options.
 */
export async function listen(
  engine: Engine,
  region: string,
  options: EndpointOptions,
  onBug: (error: unknown) => void,
): Promise<Endpoint> {
  const {
    port,
    host = LOOPBACK,
    allowedHosts = [],
    credentials,
    site,
    timeouts: limits,
  } = checked('listen', options, ENDPOINT)
  // Real time, even when the engine runs on virtual time: clients, their timeouts and their signatures use real time. After a
  // night in which the machine slept, clients sign with the time of the morning.
  const clock = new SystemClock({ noticesSuspension: true })
  const door: Door = {
    engine,
    region,
    hosts: [host, ...allowedHosts].map(hostHeaderOf),
    checkSignature: credentials === undefined ? undefined : signatureCheck(credentials, clock),
    onBug,
    site: credentials === undefined ? site : undefined,
    bodies: new BodyAllowance(),
  }
  const timeouts = timeoutsOf(limits)
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: timeouts.requestMilliseconds,
      headersTimeout: timeouts.headersMilliseconds,
      keepAliveTimeout: timeouts.idleMilliseconds,
      connectionsCheckingInterval: timeouts.checkMilliseconds,
      // A request without a host is rejected later, together with those for foreign hosts.
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
    close: () => {
      site?.close()
      return close(server, fastLanes, clock)
    },
  }
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        const message = `Port ${port} on ${host} is taken; choose another, or 0 for any that is free.`
        reject(new LocalError('endpoint.port-taken', message, { port, host }, error))
      } else {
        const message = `Cannot listen on ${host}:${port}: ${error.message}. Give an address of this machine as the host, and a port that this user may open.`
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
