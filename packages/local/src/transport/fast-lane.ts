import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@isotherm/runtime'
import { answerOverTurns, type JsonBody } from '../wire/aws-json.js'
import type { JsonResponse } from '../wire/json-response.js'
import type { EndpointTimeouts } from './endpoint-timeouts.js'
import type { Door } from './http-exchange.js'
import { LastHeaders } from './last-headers.js'
import { plainRequestAt } from './plain-request.js'
import { isTrustedHost } from './trusted-host.js'

/** The connections of an endpoint that are in the fast lane. */
export interface FastLanes {
  /** Closes each connection after its current response. */
  close(): void
  /** Closes each connection at once. */
  abort(): void
}

/** The state shared by the connections of an endpoint. */
interface Lanes {
  readonly door: Door
  readonly timeouts: EndpointTimeouts
  readonly lastHeaders: LastHeaders
  /** Passes a connection to Node's parser, together with the bytes that have not been answered. */
  readonly handOver: (socket: Socket, rest: Buffer) => void
  readonly open: Set<FastLane>
}

/**
 * Adds a fast lane to an HTTP server. While a connection carries only plain requests, they are parsed and answered
 * here. At the first byte of anything else, the connection moves to Node's own parser, with that byte, and stays there.
 *
 * Node's request and response objects cost three times as much as the engine's work for an item. A complete HTTP parser
 * of our own would be as fast, but would have to get all of HTTP right. This one may decline to understand.
 *
 * @returns the control of the connections in the fast lane.
 */
export function installFastLane(
  server: Server,
  door: Door,
  timeouts: EndpointTimeouts,
  clock: Clock,
): FastLanes {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  const handOver = (socket: Socket, rest: Buffer) => {
    for (const listener of listeners) listener.call(server, socket)
    socket.unshift(rest)
  }
  const lastHeaders = new LastHeaders(clock, timeouts.idleMilliseconds)
  const lanes: Lanes = { door, timeouts, lastHeaders, handOver, open: new Set() }
  server.on('connection', (socket) => lanes.open.add(new FastLane(socket, lanes)))
  return {
    close() {
      for (const lane of lanes.open) lane.close()
    },
    abort() {
      for (const lane of lanes.open) lane.abort()
    },
  }
}

/** One connection in the fast lane. */
class FastLane {
  readonly #socket: Socket
  readonly #lanes: Lanes
  /** Received bytes that must wait until the previous request is answered, or until the client reads its response. */
  #waiting: Buffer | undefined
  /** The host of the last request. It was trusted, and nearly all requests of a connection have the same one. */
  #host: string | undefined
  #isAnswering = false
  #isClosing = false
  /** The client sends nothing more, but reads the responses to what it has sent. */
  #hasEnded = false
  #isNew = true

  constructor(socket: Socket, lanes: Lanes) {
    this.#socket = socket
    this.#lanes = lanes
    socket.setTimeout(lanes.timeouts.headersMilliseconds)
    socket.on('data', this.#onData)
    socket.on('drain', this.#goOn)
    socket.on('end', this.#onEnd)
    socket.on('timeout', this.#onTimeout)
    socket.on('error', this.abort)
    socket.on('close', this.#onClose)
  }

  /** Closes the connection after its current response. */
  close(): void {
    this.#isClosing = true
    if (!this.#isAnswering) this.#socket.destroySoon()
  }

  /** Closes the connection at once. */
  readonly abort = (): void => {
    this.#socket.destroy()
  }

  readonly #onData = (received: Buffer): void => {
    const { door } = this.#lanes
    for (let from = 0; from < received.length; ) {
      const request = door.checkSignature === undefined ? plainRequestAt(received, from) : undefined
      if (request === undefined || !this.#isTrusted(request.host)) {
        this.#leave(received.subarray(from))
        return
      }
      from += request.bytes
      const answered = answerOverTurns(door.engine, request, door.region, door.onBug)
      if (answered instanceof Promise) {
        this.#isAnswering = true
        this.#wait(received, from)
        answered.then(this.#onAnswer)
        return
      }
      // A client that does not read its responses gets no more of them.
      if (!this.#send(answered)) {
        this.#wait(received, from)
        return
      }
    }
  }

  #isTrusted(host: string): boolean {
    if (host === this.#host) return true
    if (!isTrustedHost(host, this.#lanes.door.hosts)) return false
    this.#host = host
    return true
  }

  #wait(received: Buffer, from: number): void {
    this.#waiting = received.subarray(from)
    this.#socket.pause()
  }

  readonly #onAnswer = (answered: JsonResponse<JsonBody>): void => {
    this.#isAnswering = false
    const isTaken = this.#send(answered)
    if (this.#isClosing) this.#socket.destroySoon()
    else if (isTaken) this.#goOn()
  }

  readonly #goOn = (): void => {
    if (this.#isAnswering || this.#isClosing) return
    const received = this.#waiting
    this.#waiting = undefined
    this.#socket.resume()
    if (received !== undefined) this.#onData(received)
    this.#closeIfDone()
  }

  #closeIfDone(): void {
    if (this.#hasEnded && !this.#isAnswering && this.#waiting === undefined) this.#socket.destroySoon()
  }

  /** @returns whether the socket accepts more. */
  #send({ status, headerLines, body, bytes }: JsonResponse<JsonBody>): boolean {
    const { lastHeaders, timeouts } = this.#lanes
    if (this.#isNew) this.#socket.setTimeout(timeouts.idleMilliseconds)
    this.#isNew = false
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headerLines}${lastHeaders.lines}`
    if (typeof body !== 'string') return this.#sendPieces(head, body)
    // ASCII is written directly, which is faster. Other text has to be encoded first.
    return this.#socket.write(head + body, bytes === body.length ? 'latin1' : 'utf8')
  }

  #sendPieces(head: string, pieces: readonly Buffer[]): boolean {
    this.#socket.write(head, 'latin1')
    for (const piece of pieces) this.#socket.write(piece)
    return !this.#socket.writableNeedDrain
  }

  /** The client has closed its side. It still gets the responses to its requests. */
  readonly #onEnd = (): void => {
    this.#hasEnded = true
    this.#closeIfDone()
  }

  /** A silent client is not dropped while it waits for the engine. */
  readonly #onTimeout = (): void => {
    if (!this.#isAnswering) this.abort()
  }

  readonly #onClose = (): void => {
    this.#lanes.open.delete(this)
  }

  #leave(rest: Buffer): void {
    const socket = this.#socket
    // Nothing can be put back into a connection that has ended, and Node's parser answers no request behind its end either.
    if (this.#hasEnded) {
      socket.destroySoon()
      return
    }
    this.#lanes.open.delete(this)
    socket.off('data', this.#onData)
    socket.off('drain', this.#goOn)
    socket.off('end', this.#onEnd)
    socket.off('timeout', this.#onTimeout)
    socket.off('error', this.abort)
    socket.off('close', this.#onClose)
    socket.setTimeout(0)
    this.#lanes.handOver(socket, rest)
  }
}
