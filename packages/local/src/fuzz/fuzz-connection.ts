import { connect, type Socket } from 'node:net'
import { AnswerReader, type RawAnswer } from './answer-reader.js'

/** How long a server may be silent while it owes an answer, in milliseconds; a slow machine needs some. */
const PATIENCE = 30_000

/** What came of a number of requests that were sent together. */
export interface Exchange {
  readonly answers: readonly RawAnswer[]
  /** `open` when all answers came, `closed` when the server closed the connection first, `silent` when it hung. */
  readonly end: 'open' | 'closed' | 'silent'
  /** What was no complete answer. */
  readonly rest: Buffer
}

/** A connection to an endpoint, opened anew whenever the last one is gone. */
export class FuzzConnection {
  readonly #port: number
  #socket: Socket | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** Sends requests one behind the other and waits for as many answers. */
  ask(requests: readonly Buffer[]): Promise<Exchange> {
    const socket = this.#socket ?? this.#open()
    this.#socket = socket
    const waiting = this.#answers(socket, requests.length)
    socket.write(Buffer.concat(requests))
    return waiting
  }

  /** Sends bytes over a connection of their own, ends it, and waits until the server has done so too. */
  async tell(bytes: Buffer): Promise<Exchange> {
    const socket = this.#open()
    const waiting = this.#answers(socket, Number.POSITIVE_INFINITY)
    socket.end(bytes)
    return await waiting
  }

  /** Sends bytes and goes away without waiting for anything. */
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
    // A connection that breaks is closed as well, and that is what is looked at.
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
