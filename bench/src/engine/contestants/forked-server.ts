import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../message-of.js'
import type { ServingOrder } from './serving-process.js'

/** A server of the benchmark, in a separate process. */
export interface ForkedServer {
  readonly process: ChildProcess
  readonly port: number
  readonly stop: () => void
}

export async function forkServer(order: ServingOrder): Promise<ForkedServer> {
  const server = fork(fileURLToPath(new URL('./serving-process.js', import.meta.url)))
  server.send(order)
  const { port } = await messageOf<{ readonly port: number }>(server)
  return { process: server, port, stop: () => server.disconnect() }
}
