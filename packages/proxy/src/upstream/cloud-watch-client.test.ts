import { ListMetricsCommand } from '@aws-sdk/client-cloudwatch'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { expect, it } from 'vitest'
import { SETTINGS } from '../proxy.fixture.js'
import { cloudWatchClientOf } from './cloud-watch-client.js'

it('asks an engine on this machine for its own metrics', async () => {
  const local = createLocal()
  const { url } = await local.listen({ port: 0 })
  const cloudWatch = await cloudWatchClientOf(new DynamoDBClient({ ...SETTINGS, endpoint: url }))
  expect((await cloudWatch.send(new ListMetricsCommand({}))).Metrics).toEqual([])
  cloudWatch.destroy()
  await local.close()
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
