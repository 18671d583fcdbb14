import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { answerBrokenRequest } from '@isotherm/local/service'
import type { Clock } from '@isotherm/runtime'
import { ProxyError } from '../errors/proxy-error.js'
import { type Exchanges, serve } from './exchange.js'
import type { ProxyLimits } from './limits.js'

/** A listening server. */
export interface Listening {
  readonly url: string
  readonly port: number
  connections(): number
  /** Accepts no more requests, and resolves when those in progress are answered or their time is over. */
  stop(): Promise<void>
}

/** The service accepts no more than this for the request line and headers together. */
const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS_MILLISECONDS = 10_000

/**
 * @throws ProxyError `endpoint.port-taken` when the port is in use, `endpoint.listen` when the address is not this machine's
 */
export async function listen(exchanges: Exchanges, port: number, host: string): Promise<Listening> {
  const { limits, clock } = exchanges
  const onRequest = (...[request, response]: Parameters<Parameters<typeof createServer>[1] & object>) => {
    serve(exchanges, request, response)
  }
  const headersMilliseconds = Math.min(MAX_HEADERS_MILLISECONDS, limits.receiveMilliseconds)
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: limits.receiveMilliseconds,
      headersTimeout: headersMilliseconds,
      // Node looks every 30 seconds, which would double the default and make smaller limits meaningless.
      connectionsCheckingInterval: Math.ceil(headersMilliseconds / 4),
      keepAliveTimeout: limits.idleMilliseconds,
      // A request without a host is refused with the others that name a foreign one.
      requireHostHeader: false,
      noDelay: true,
    },
    onRequest,
  )
  server.on('checkContinue', onRequest)
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, () => undefined))
  server.maxConnections = limits.connections
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  await bind(server, port, host)
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    connections: () => connections.size,
    stop: () => stop(server, connections, limits, clock),
  }
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        const message = `Port ${port} on ${host} is taken; choose another, or 0 for any that is free.`
        reject(new ProxyError('endpoint.port-taken', message, { port, host }, error))
      } else {
        const message = `Cannot listen on ${host}:${port}: ${error.message}. Give an address of this machine as the host, and a port that this user may open.`
        reject(new ProxyError('endpoint.listen', message, { port, host }, error))
      }
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })
}

async function stop(
  server: Server,
  connections: ReadonlySet<Socket>,
  { stopMilliseconds }: ProxyLimits,
  clock: Clock,
): Promise<void> {
  const stopped = new AbortController()
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // To Node, a connection that has sent nothing yet is not idle. Callers open some in advance.
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  const late = clock.sleep(stopMilliseconds, stopped.signal).then(
    () => server.closeAllConnections(),
    () => undefined,
  )
  await ended
  stopped.abort()
  await late
}
