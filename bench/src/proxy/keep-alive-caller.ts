import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { SystemClock } from '@isotherm/runtime'

/** Several connections to one endpoint, over which prepared requests are sent. An SDK would take longer than a proxy. */
export class KeepAliveCaller {
  readonly #clock = new SystemClock()
  readonly #sockets: readonly Socket[]
  readonly #host: string

  private constructor(sockets: readonly Socket[], host: string) {
    this.#sockets = sockets
    this.#host = host
  }

  static async open(url: string, connections: number): Promise<KeepAliveCaller> {
    const { hostname, port, host } = new URL(url)
    const sockets = await Promise.all(
      Array.from({ length: connections }, async () => {
        const socket = connect(Number(port), hostname)
        socket.setNoDelay(true)
        await once(socket, 'connect')
        return socket
      }),
    )
    return new KeepAliveCaller(sockets, host)
  }

  /** Sends one request over each connection at a time. @returns the milliseconds of each, in no order */
  async send(operation: string, bodies: readonly string[]): Promise<readonly number[]> {
    const waiting = [...bodies]
    const times: number[] = []
    const work = async (socket: Socket) => {
      for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
        const from = this.#clock.now()
        await this.#exchange(socket, operation, body)
        times.push(this.#clock.now() - from)
      }
    }
    await Promise.all(this.#sockets.map(work))
    return times
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #exchange(socket: Socket, operation: string, body: string): Promise<void> {
    const head =
      `POST / HTTP/1.1\r\nhost: ${this.#host}\r\ncontent-type: application/x-amz-json-1.0\r\n` +
      `x-amz-target: DynamoDB_20120810.${operation}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
    return new Promise((resolve, reject) => {
      let text = ''
      const onData = (chunk: Buffer) => {
        text += chunk.toString('latin1')
        const end = text.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = Number(/content-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? Number.NaN)
        if (Number.isNaN(length)) return finish(new Error(`The answer has no length: ${text.slice(0, end)}`))
        if (text.length < end + 4 + length) return
        finish(text.startsWith('HTTP/1.1 200 ') ? undefined : new Error(text))
      }
      const finish = (error: Error | undefined) => {
        socket.off('data', onData)
        if (error === undefined) resolve()
        else reject(error)
      }
      socket.on('data', onData)
      socket.write(head + body)
    })
  }
}
