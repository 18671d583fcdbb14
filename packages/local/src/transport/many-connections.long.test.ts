import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createLocal } from '../local.js'
import { MAX_CONNECTIONS } from './http-endpoint.js'
import { exchange, post } from './raw-client.behaviour.js'

/** Longer than it takes to open them all on a busy machine. */
const timeouts = { headersMilliseconds: 150_000, requestMilliseconds: 150_000, idleMilliseconds: 150_000 }
const PATIENT = { timeout: 30_000, interval: 50 }
const AT_A_TIME = 100

const local = createLocal()
const sockets: Socket[] = []
let port = 0
beforeAll(async () => {
  port = (await local.listen({ port: 0, timeouts })).port
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await local.close()
})

const LIST = post('ListTables', '{}')

function opened(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}

/** Whether a connection is served. */
function isServed(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(data.toString().startsWith('HTTP/1.1 200 ')))
    socket.once('close', () => resolve(false))
    socket.write(LIST)
  })
}

it('an endpoint serves as many connections as its limit, closes those above it, and has room again later', async () => {
  while (sockets.length < MAX_CONNECTIONS) {
    const missing = Math.min(AT_A_TIME, MAX_CONNECTIONS - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: missing }, opened))))
  }
  const served = await Promise.all(sockets.map(isServed))
  expect(served.filter((each) => each)).toHaveLength(MAX_CONNECTIONS)
  // Closed without an answer, or reset while it is written to.
  const above = () => exchange(port, [LIST], 1).catch(() => [])
  expect(await above()).toEqual([])
  sockets.pop()?.destroy()
  await vi.waitFor(async () => expect(await above()).toMatchObject([{ status: 200 }]), PATIENT)
})
