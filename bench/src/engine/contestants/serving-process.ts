import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createLocal } from '@isotherm/local'
import { UNREACHED_LIMITS } from '../unreached-limits.js'

/** What a process of the benchmark serves. */
export type ServingOrder =
  | { readonly kind: 'engine'; readonly data: string | undefined }
  | { readonly kind: 'bare'; readonly answers: Readonly<Record<string, CannedAnswer>> }
  | { readonly kind: 'deaf'; readonly answer: CannedAnswer }

/** What the engine answered, with the headers that it chose. */
export interface CannedAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

process.on('disconnect', () => process.exit())
process.on('message', async (order: ServingOrder) => process.send?.({ port: await serve(order) }))

function serve(order: ServingOrder): Promise<number> {
  switch (order.kind) {
    case 'engine':
      return serveEngine(order.data)
    case 'bare':
      return serveBare(order.answers)
    case 'deaf':
      return serveDeaf(order.answer)
  }
}

async function serveEngine(data: string | undefined): Promise<number> {
  const local = createLocal({ ...UNREACHED_LIMITS, ...(data === undefined ? {} : { data }) })
  return (await local.listen({ port: 0 })).port
}

/** The least that a server on Node's own HTTP can do: it parses the JSON of every request, and answers the same bytes. */
function serveBare(answers: Readonly<Record<string, CannedAnswer>>): Promise<number> {
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      JSON.parse((chunks.length === 1 ? (chunks[0] ?? '') : Buffer.concat(chunks)).toString())
      const answer = answers[String(request.headers['x-amz-target'])]
      response.writeHead(answer === undefined ? 400 : 200, answer?.headers)
      response.end(answer?.body)
    })
  })
  return portOf(server)
}

/** A server that does not look at the requests, to see how many the generator can send. They arrive in one piece each. */
function serveDeaf({ headers, body }: CannedAnswer): Promise<number> {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(`HTTP/1.1 200 OK\r\n${head.join('')}\r\n${body}`)
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {})
    socket.on('data', () => socket.write(bytes))
  })
  return portOf(server)
}

function portOf(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
}
