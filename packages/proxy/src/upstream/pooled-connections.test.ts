import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { HttpRequest } from '@smithy/core/protocols'
import { afterEach, describe, expect, it } from 'vitest'
import { PooledConnections } from './pooled-connections.js'

const SETTINGS = { region: 'eu-central-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } }

describe('pooled connections', () => {
  const opened: { readonly server: Server; readonly connections: PooledConnections }[] = []
  afterEach(async () => {
    for (const { server, connections } of opened.splice(0)) {
      connections.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  async function serve(listener: RequestListener, options: { readonly connections?: number } = {}) {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const connections = new PooledConnections(options)
    opened.push({ server, connections })
    const send = (body = '{}', abortSignal?: AbortSignal, path = '/') =>
      connections.handle(
        new HttpRequest({ method: 'POST', protocol: 'http:', hostname: '127.0.0.1', port, path, body }),
        abortSignal === undefined ? {} : { abortSignal },
      )
    return { server, send, port, connections }
  }

  it('return the status, the headers and all of the body', async () => {
    const half = 'x'.repeat(100_000)
    const { send } = await serve((request, response) => {
      response.writeHead(503, { 'x-amzn-requestid': 'one', 'x-two': ['a', 'b'] })
      response.write(half)
      setImmediate(() => response.end(`${half}${request.url}`))
    })
    const { response } = await send('{}', undefined, '/prefix')
    expect(response.statusCode).toBe(503)
    expect(response.headers).toMatchObject({ 'x-amzn-requestid': 'one', 'x-two': 'a,b' })
    expect(String(response.body)).toBe(`${half}${half}/prefix`)
  })

  it("serve all commands of the SDK's client, and are closed by it", async () => {
    const { port, connections } = await serve((_request, response) => response.end('{"TableNames":["log"]}'))
    const client = new DynamoDBClient({
      ...SETTINGS,
      endpoint: `http://127.0.0.1:${port}`,
      requestHandler: connections,
    })
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual(['log'])
    client.destroy()
    await expect(client.send(new ListTablesCommand({}))).rejects.toThrow('destroyed')
  })

  it('end an aborted request and its connection, and never send one that was waiting', async () => {
    const bodies: string[] = []
    let closed = 0
    const { send } = await serve(
      (request, response) => {
        request.on('data', (chunk) => bodies.push(String(chunk)))
        response.on('close', () => closed++)
      },
      { connections: 1 },
    )
    const [first, second] = [new AbortController(), new AbortController()]
    const [one, two] = [send('first', first.signal), send('second', second.signal)]
    await expect.poll(() => bodies).toEqual(['first'])
    second.abort(new Error('its time is over'))
    await expect(two).rejects.toMatchObject({ name: 'AbortError', cause: { message: 'its time is over' } })
    first.abort()
    await expect(one).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(() => closed).toBe(1)
    await expect(send('late', first.signal)).rejects.toMatchObject({ name: 'AbortError' })
    const third = new AbortController()
    const last = send('third', third.signal)
    await expect.poll(() => bodies).toEqual(['first', 'third'])
    third.abort()
    await expect(last).rejects.toThrow('aborted')
  })

  it('give broken connections the names that the SDK retries', async () => {
    const { send, port, connections } = await serve((request) => void request.socket.destroy())
    await expect(send()).rejects.toMatchObject({ name: 'TimeoutError' })
    const client = new DynamoDBClient({
      ...SETTINGS,
      endpoint: `http://127.0.0.1:${port}`,
      requestHandler: connections,
      maxAttempts: 2,
    })
    await expect(client.send(new ListTablesCommand({}))).rejects.toMatchObject({ $metadata: { attempts: 2 } })
  })

  it('name an endpoint that does not exist as the SDK does', async () => {
    const connections = new PooledConnections()
    const request = new HttpRequest({
      method: 'POST',
      protocol: 'http:',
      hostname: '127.0.0.1',
      port: 9,
      body: '{}',
    })
    await expect(connections.handle(request)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    connections.destroy()
  })

  it('leave no listeners on a signal that many requests share', async () => {
    const { send } = await serve((_request, response) => response.end('{}'))
    const { signal } = new AbortController()
    const listeners: string[] = []
    signal.addEventListener = new Proxy(signal.addEventListener, {
      apply: (add, self, args) => {
        listeners.push('added')
        return Reflect.apply(add, self, args)
      },
    })
    signal.removeEventListener = new Proxy(signal.removeEventListener, {
      apply: (remove, self, args) => {
        listeners.push('removed')
        return Reflect.apply(remove, self, args)
      },
    })
    await send('{}', signal)
    expect(listeners).toEqual(['added', 'removed'])
  })
})
