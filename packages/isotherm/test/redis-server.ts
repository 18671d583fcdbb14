import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createClient } from 'redis'

/**
 * Whether Redis is installed. With `ISOTHERM_SKIP_NOTHING=true`, as in CI, a missing Redis fails the tests instead of
 * skipping them.
 */
export function isRedisInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return process.env.ISOTHERM_SKIP_NOTHING === 'true'
  }
}

export interface RedisServer {
  readonly url: string
  stop(): Promise<void>
}

/** Starts an empty Redis on a free loopback port, in memory only. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no']
  // Its errors go through this process: a server that inherits the output of a test run which is ended keeps it open.
  const server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'pipe'] })
  server.stderr.pipe(process.stderr, { end: false })
  await readyToAccept(server)
  return { url: `redis://127.0.0.1:${port}`, stop: () => ended(server) }
}

export async function connected(url: string) {
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  // Without a listener, stopping the server would crash the process.
  client.on('error', () => {})
  return client.connect()
}

function readyToAccept(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.on('error', reject)
    server.on('exit', () => reject(new Error(`redis-server ended before it was ready: ${said}`)))
    server.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('Ready to accept connections')) resolve()
    })
  })
}

function ended(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve()
    server.on('exit', () => resolve())
    server.kill()
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
