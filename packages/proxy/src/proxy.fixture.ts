import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createTable, type TableShape } from '@isotherm/fixtures'
import { createLocal, type Local, type LocalOptions } from '@isotherm/local'
import { fixedShards } from 'isotherm'
import { type ProxyOptions, type RunningProxy, startProxy } from './start-proxy.js'
import { PooledConnections } from './upstream/pooled-connections.js'

/** A proxy in front of an engine, each on a port, and clients of both. */
export interface Served {
  readonly local: Local
  readonly proxy: RunningProxy
  /** A client of the proxy. */
  readonly client: DynamoDBClient
  /** A client of the engine. */
  readonly direct: DynamoDBClient
  readonly url: string
  readonly upstreamUrl: string
  stop(): Promise<void>
}

export const SETTINGS = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  maxAttempts: 1,
}

/** The options of the sharded table that all these tests use. */
export const LOG = {
  partitionKey: 'doc',
  sortKey: 'seq',
  suffix: 'calculated',
  shards: fixedShards(4),
} as const

export async function serveProxy(
  options: Partial<ProxyOptions> = {},
  engine: LocalOptions = { throttle: false },
  shape: TableShape = {},
): Promise<Served> {
  const local = createLocal({ region: SETTINGS.region, ...engine })
  const { url: upstreamUrl } = await local.listen({ port: 0 })
  const direct = new DynamoDBClient({ ...SETTINGS, endpoint: upstreamUrl })
  for (const name of ['log', 'plain']) await direct.send(createTable(name, ['doc', 'seq:N'], shape))
  const upstream = new DynamoDBClient({
    ...SETTINGS,
    endpoint: upstreamUrl,
    requestHandler: new PooledConnections(),
  })
  const proxy = await startProxy({ client: upstream, port: 0, tables: { log: LOG }, ...options })
  const client = new DynamoDBClient({ ...SETTINGS, endpoint: proxy.url })
  return {
    local,
    proxy,
    client,
    direct,
    url: proxy.url,
    upstreamUrl,
    async stop() {
      client.destroy()
      direct.destroy()
      await proxy.stop()
      await local.close()
    },
  }
}

/** A response as it is on the wire. */
export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends a body as it is, without an SDK. */
export async function post(
  url: string,
  operation: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<RawResponse> {
  const target = operation.includes('.') ? operation : `DynamoDB_20120810.${operation}`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target, ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
