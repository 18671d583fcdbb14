import { Agent, request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { startLocal } from '@isotherm/local'
import { PooledConnections, startProxy } from '@isotherm/proxy'
import { dynamicShards, ensureShardMap } from 'isotherm'
import { PREPARED_TABLES } from './prepared-tables.js'

/** What one process of the benchmark serves. */
export interface ServingOrder {
  readonly kind: 'server' | 'pass-through' | 'proxy'
  /** Of the server itself, an empty text. */
  readonly upstream: string
}

const SETTINGS = { region: 'eu-central-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } }

/** The engine without limits, whose own time for a request is a fraction of a proxy's. */
async function serveEngine(): Promise<string> {
  const local = await startLocal({ port: 0, throttle: false, region: SETTINGS.region })
  const client = new DynamoDBClient({ ...SETTINGS, endpoint: local.url })
  for (const command of PREPARED_TABLES) await client.send(command)
  for (const table of ['log_1', 'log_8']) await ensureShardMap(client, { table })
  client.destroy()
  return local.url
}

/** The least that a proxy in Node can do: it copies requests and answers from one connection to another. */
function servePassThrough(upstream: string): Promise<string> {
  const { hostname, port } = new URL(upstream)
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const server = createServer({ noDelay: true }, (request, response) => {
    const onward = ask(
      { agent, hostname, port, method: request.method, path: request.url, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', (error) => response.destroy(error))
    request.pipe(onward)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

async function serveProxy(upstream: string): Promise<string> {
  const table = { partitionKey: 'path', sortKey: 'at', suffix: 'calculated' } as const
  const { url } = await startProxy({
    client: new DynamoDBClient({ ...SETTINGS, endpoint: upstream, requestHandler: new PooledConnections() }),
    port: 0,
    tables: {
      log_1: { ...table, shards: dynamicShards() },
      log_8: { ...table, shards: dynamicShards({ initial: 8 }) },
    },
  })
  return url
}

const SERVE: Readonly<Record<ServingOrder['kind'], (upstream: string) => Promise<string>>> = {
  server: serveEngine,
  'pass-through': servePassThrough,
  proxy: serveProxy,
}

const { kind, upstream }: ServingOrder = JSON.parse(process.argv[2] ?? '{}')
process.on('disconnect', () => process.exit())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ microseconds: user + system })
})
process.send?.({ url: await SERVE[kind](upstream) })
