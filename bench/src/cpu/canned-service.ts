import { createServer, type Socket } from 'node:net'
import { cannedAnswer } from './canned-answer.js'

/*
 * The process that answers the clients of the benchmark `cpu`. It reads requests from sockets without an HTTP parser, to
 * leave the processors to the clients.
 */

const END_OF_HEAD = '\r\n\r\n'

const server = createServer({ noDelay: true }, (socket) => {
  let waiting = ''
  socket.setEncoding('latin1')
  socket.on('error', () => {})
  socket.on('data', (piece: string) => {
    waiting = answered(socket, waiting + piece)
  })
})

/** Answers all complete requests, and returns the rest. */
function answered(socket: Socket, text: string): string {
  let rest = text
  for (;;) {
    const end = rest.indexOf(END_OF_HEAD)
    if (end < 0) return rest
    const head = rest.slice(0, end)
    const from = end + END_OF_HEAD.length
    const to = from + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    if (rest.length < to) return rest
    const operation = /^x-amz-target: *DynamoDB_20120810\.(\w+)/im.exec(head)?.[1] ?? ''
    const body = cannedAnswer(operation, rest.slice(from, to))
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\nx-amzn-requestid: R\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    rest = rest.slice(to)
  }
}

server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
