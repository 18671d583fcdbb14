import { connect, type Socket } from 'node:net'
import { AnswerReader, type RawAnswer } from './answer-reader.js'

/** How long a server may take for an outstanding response, in milliseconds. Slow machines need this much. */
const PATIENCE = 30_000

/** The result of a number of requests sent together. */
export interface Exchange {
  readonly answers: readonly RawAnswer[]
  /**
   * `open` when all responses came, `closed` when the server closed the connection first, `silent` when it timed out.
   */
  readonly end: 'open' | 'closed' | 'silent'
  /** Received bytes that are not a complete response. */
  readonly rest: Buffer
}

/** A connection to an endpoint, reopened whenever it was closed. */
export class FuzzConnection {
  readonly #port: number
  #socket: Socket | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** Sends pipelined requests and waits for as many responses. */
  ask(requests: readonly Buffer[]): Promise<Exchange> {
    const socket = this.#socket ?? this.#open()
    this.#socket = socket
    const waiting = this.#answers(socket, requests.length)
    socket.write(Buffer.concat(requests))
    return waiting
  }

  /** Sends bytes over a separate connection, closes it, and waits until the server has closed it too. */
  async tell(bytes: Buffer): Promise<Exchange> {
    const socket = this.#open()
    const waiting = this.#answers(socket, Number.POSITIVE_INFINITY)
    socket.end(bytes)
    return await waiting
  }

  /** Sends bytes and disconnects without waiting for a response. */
  leave(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      const socket = this.#open()
      socket.on('close', () => resolve())
      socket.write(bytes, () => socket.destroy())
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1')
    // A connection with an error is also closed, and the close event is handled.
    socket.on('error', () => {})
    socket.setTimeout(PATIENCE)
    return socket
  }

  #answers(socket: Socket, count: number): Promise<Exchange> {
    return new Promise((resolve) => {
      const reader = new AnswerReader()
      const answers: RawAnswer[] = []
      const done = (end: Exchange['end']) => {
        socket.off('data', onData)
        socket.off('close', onClose)
        socket.off('timeout', onTimeout)
        if (end !== 'open') {
          socket.destroy()
          if (this.#socket === socket) this.#socket = undefined
        }
        resolve({ answers, end, rest: reader.rest })
      }
      const onData = (data: Buffer) => {
        answers.push(...reader.read(data))
        if (answers.length >= count) done(isLast(answers.at(-1)) ? 'closed' : 'open')
      }
      const onClose = () => done('closed')
      const onTimeout = () => done('silent')
      socket.on('data', onData)
      socket.on('close', onClose)
      socket.on('timeout', onTimeout)
    })
  }
}

function isLast(answer: RawAnswer | undefined): boolean {
  return answer?.headers.get('connection') === 'close'
}
