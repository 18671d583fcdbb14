import { type CloudWatchClient, ListMetricsCommand } from '@aws-sdk/client-cloudwatch'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SETTINGS } from '../proxy.fixture.js'
import { cloudWatchClientOf } from './cloud-watch-client.js'
import { upstreamEndpoint } from './upstream-endpoint.js'

async function hostOf(cloudWatch: CloudWatchClient): Promise<string> {
  return (await upstreamEndpoint(cloudWatch, new ListMetricsCommand({}) as never)).hostname
}

it('asks an engine on this machine for its own metrics', async () => {
  const local = createLocal()
  const { url } = await local.listen({ port: 0 })
  const cloudWatch = await cloudWatchClientOf(new DynamoDBClient({ ...SETTINGS, endpoint: url }))
  expect((await cloudWatch.send(new ListMetricsCommand({}))).Metrics).toEqual([])
  cloudWatch.destroy()
  await local.close()
})

it('asks an engine that was given also where there are no credentials yet', async () => {
  const failing = async () => {
    throw new Error('There are no credentials.')
  }
  const client = new DynamoDBClient({
    ...SETTINGS,
    credentials: failing,
    endpoint: 'http://127.0.0.1:8000/path',
  })
  const { config } = await cloudWatchClientOf(client)
  expect(await config.endpoint?.()).toMatchObject({ hostname: '127.0.0.1', port: 8000, path: '/path' })
})

it('asks an engine elsewhere for its own metrics, too', async () => {
  const client = new DynamoDBClient({ ...SETTINGS, endpoint: 'http://scylla.example:8000' })
  expect(await hostOf(await cloudWatchClientOf(client))).toBe('scylla.example')
})

describe('with the endpoint of an engine in the environment', () => {
  beforeEach(() => {
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:8000')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('asks that engine, and not AWS', async () => {
    expect(await hostOf(await cloudWatchClientOf(new DynamoDBClient(SETTINGS)))).toBe('127.0.0.1')
  })

  it('asks the endpoint of CloudWatch in the environment, as behind a proxy', async () => {
    const own = 'https://monitoring.eu-central-1.amazonaws.com'
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDWATCH', own)
    expect(await hostOf(await cloudWatchClientOf(new DynamoDBClient(SETTINGS)))).toBe(new URL(own).hostname)
  })

  it('asks the engine that the client was given', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://other.example')
    const client = new DynamoDBClient({ ...SETTINGS, endpoint: 'http://127.0.0.2:8000' })
    expect(await hostOf(await cloudWatchClientOf(client))).toBe('127.0.0.2')
  })
})

it('is the one with validated cryptography beside such an endpoint of DynamoDB', async () => {
  const endpoint = 'https://dynamodb-fips.us-east-1.amazonaws.com'
  const { config } = await cloudWatchClientOf(new DynamoDBClient({ ...SETTINGS, endpoint }))
  expect(await config.useFipsEndpoint()).toBe(true)
})

it.each([{}, { endpoint: 'https://vpce-1.dynamodb.eu-central-1.vpce.amazonaws.com' }])(
  'asks Amazon CloudWatch for the metrics of Amazon DynamoDB, with %j',
  async (endpoint) => {
    const cloudWatch = await cloudWatchClientOf(new DynamoDBClient({ ...SETTINGS, ...endpoint }))
    expect(cloudWatch.config.endpoint).toBeUndefined()
    expect(await cloudWatch.config.region()).toBe('eu-central-1')
  },
)

it('waits for a region that is missing, as the requests of the proxy do', async () => {
  let regions = 0
  const region = async () => {
    if (regions++ === 0) throw new Error('Region is missing')
    return 'eu-central-1'
  }
  const cloudWatch = await cloudWatchClientOf(new DynamoDBClient({ ...SETTINGS, region }))
  expect(await cloudWatch.config.region()).toBe('eu-central-1')
})
