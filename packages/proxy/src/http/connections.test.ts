import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, expect, it, vi } from 'vitest'
import { type Served, serveProxy } from '../proxy.fixture.js'
import type { ProxyLimits } from './limits.js'

let served: Served
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await served.stop()
})

async function open(limits: Partial<ProxyLimits>): Promise<void> {
  served = await serveProxy({ limits })
}

/** A connection, and everything that it receives until it is closed. */
function connected() {
  const socket = connect(served.proxy.port, '127.0.0.1')
  sockets.push(socket)
  const received = { text: '' }
  socket.setEncoding('utf8').on('data', (text) => {
    received.text += text
  })
  socket.on('error', () => undefined)
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received.text)))
  return { socket, received, closed }
}

/** For what would come after 30 seconds or more without the limit. */
const SOON = 25_000
const PATIENT = { timeout: 30_000, interval: 50 }
const HEAD = 'POST / HTTP/1.1\r\nhost: localhost\r\n'
const HEALTH = 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n'

it('connections above limits.connections are closed at once, and there is room again when one ends', async () => {
  await open({ connections: 2 })
  const [first, second] = [connected(), connected()]
  for (const { socket, received } of [first, second]) {
    socket.write(HEALTH)
    await vi.waitFor(() => expect(received.text).toContain('healthy'), PATIENT)
  }
  const third = connected()
  third.socket.write(HEALTH)
  expect(await third.closed).toBe('')
  second.socket.destroy()
  await vi.waitFor(async () => {
    const another = connected()
    another.socket.write(HEALTH)
    await vi.waitFor(() => expect(another.received.text).toContain('healthy'), { timeout: 500 })
  }, PATIENT)
  first.socket.write(HEALTH)
  await vi.waitFor(() => expect(first.received.text.match(/healthy/g)).toHaveLength(2), PATIENT)
})

it.each([
  ['headers', HEAD],
  ['body', `${HEAD}content-length: 10\r\n\r\n{`],
])(
  'a caller that sends its %s too slowly is told so, and closed',
  async (_, bytes) => {
    await open({ receiveMilliseconds: 100 })
    const { socket, closed } = connected()
    socket.write(bytes)
    expect(await closed).toMatch(/^HTTP\/1\.1 408 .*RequestTimeoutException/s)
  },
  SOON,
)

it(
  'a caller that is idle for limits.idle is closed',
  async () => {
    await open({ idleMilliseconds: 100 })
    const { socket, closed } = connected()
    socket.write(HEALTH)
    expect(await closed).toContain('healthy')
  },
  SOON,
)

it('a connection that has sent nothing does not delay the end of the proxy', async () => {
  await open({ stopMilliseconds: 20_000 })
  const { socket, closed } = connected()
  await once(socket, 'connect')
  await vi.waitFor(async () => {
    expect(await (await fetch(`${served.url}/metrics`)).text()).toMatch(
      /isotherm_proxy_connections\{.*\} 2\n/,
    )
  })
  const asked = performance.now()
  await served.proxy.stop()
  expect(await closed).toBe('')
  expect(performance.now() - asked).toBeLessThan(10_000)
})

it('a caller that does not read its answers is closed', async () => {
  await open({ receiveMilliseconds: 300 })
  const Item = { doc: { S: '/large' }, seq: { N: '1' }, text: { S: 'x'.repeat(350_000) } }
  for (const seq of ['1', '2', '3'])
    await served.client.send(new PutItemCommand({ TableName: 'plain', Item: { ...Item, seq: { N: seq } } }))
  const body = '{"TableName":"plain"}'
  const scan = `${HEAD}content-type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.Scan\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const { socket } = connected()
  socket.pause()
  // More than the sockets of a machine keep between two processes.
  socket.write(scan.repeat(60))
  // Empty lines between requests are ignored. Once the proxy has closed the connection, they are refused.
  const asking = () => {
    socket.write('\r\n')
    expect(socket.destroyed).toBe(true)
  }
  await vi.waitFor(asking, { timeout: 30_000, interval: 1_000 })
})
