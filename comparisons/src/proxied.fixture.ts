import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { findOracle, startOracle } from '@isotherm/differential/oracle'
import { createTable } from '@isotherm/fixtures'
import { PooledConnections, startProxy } from '@isotherm/proxy'
import { dynamicShards, ensureShardMap } from 'isotherm'
import { serve } from './served.fixture.js'

/** A proxy in front of an engine. `orders` is sharded, `plain` is not. */
export interface Proxied {
  readonly url: string
  /** The engine's own address. */
  readonly upstreamUrl: string
  /** Stored keys of the sharded table, read without the proxy. */
  storedKeys(): Promise<ReadonlySet<string>>
  stop(): Promise<void>
}

const SETTINGS = { region: 'eu-central-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } }

const oracle = findOracle()

/** What a proxy is tried in front of. */
export const UPSTREAMS = [
  { name: 'the local engine', isThere: true, start: () => serve({ throttle: false }) },
  {
    name: 'DynamoDB Local',
    isThere: oracle.found,
    async start() {
      if (!oracle.found) throw new Error(oracle.why)
      const started = await startOracle(oracle.folder)
      return { url: started.url, stop: () => started.stop() }
    },
  },
] as const

export async function serveProxied(upstream: (typeof UPSTREAMS)[number]): Promise<Proxied> {
  const engine = await upstream.start()
  const client = new DynamoDBClient({ ...SETTINGS, endpoint: engine.url })
  await client.send(createTable('orders', ['customer', 'order_id'], { stream: 'NEW_IMAGE' }))
  await client.send(createTable('plain', ['pk'], { stream: 'NEW_IMAGE' }))
  await ensureShardMap(client, { table: 'orders' })
  const proxy = await startProxy({
    client: new DynamoDBClient({
      ...SETTINGS,
      endpoint: engine.url,
      requestHandler: new PooledConnections(),
    }),
    port: 0,
    tables: {
      orders: {
        partitionKey: 'customer',
        sortKey: 'order_id',
        suffix: 'calculated',
        shards: dynamicShards({ initial: 4 }),
      },
    },
  })
  return {
    url: proxy.url,
    upstreamUrl: engine.url,
    async storedKeys() {
      const keys = new Set<string>()
      for await (const { Items = [] } of paginateScan({ client }, { TableName: 'orders' })) {
        for (const { customer } of Items) keys.add(customer?.S ?? '')
      }
      return keys
    },
    async stop() {
      client.destroy()
      await proxy.stop()
      await engine.stop()
    },
  }
}
