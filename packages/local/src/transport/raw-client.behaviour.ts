import { connect, type Socket } from 'node:net'

/** A response as received over a socket. */
export interface RawAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** Sends bytes unchanged, and returns the responses received until the connection closes or there are `enough`. */
export function exchange(
  port: number,
  parts: readonly (string | Buffer)[],
  enough = Number.POSITIVE_INFINITY,
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
    })
    let received = Buffer.alloc(0)
    socket.on('data', (data) => {
      received = Buffer.concat([received, data])
      if (answersIn(received).length >= enough) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answersIn(received)))
  })
}

/** Sends bytes, closes the sending side as `nc -N` does, and returns the responses received until the other side closes too. */
export function exchangeAndEnd(port: number, bytes: Buffer): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes))
    const received: Buffer[] = []
    socket.on('data', (data) => received.push(data))
    socket.on('error', reject)
    socket.on('end', () => resolve(answersIn(Buffer.concat(received))))
  })
}

/** The complete responses in the received bytes. */
function answersIn(received: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let at = 0
  while (true) {
    const end = received.indexOf('\r\n\r\n', at)
    if (end < 0) return answers
    const [statusLine = '', ...lines] = received.toString('latin1', at, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const from = end + 4
    const to = from + Number(headers['content-length'] ?? 0)
    if (to > received.length) return answers
    answers.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      body: received.toString('utf8', from, to),
    })
    at = to
  }
}

/** A request of the API as bytes. The given headers replace defaults of the same name. */
export function post(operation: string, body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  const bytes = Buffer.from(body as string)
  const all = {
    host: 'localhost',
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    'content-length': String(bytes.length),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\n${lines.join('')}\r\n`), bytes])
}
