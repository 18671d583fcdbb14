import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { cloudWatchOf } from './cloud-watch-connection.js'

async function hostOf(endpoint: string) {
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  })
  const { config } = await cloudWatchOf(client, new URL(endpoint))
  return (await config.endpoint?.())?.hostname
}

describe('CloudWatch', () => {
  it.each([
    'https://dynamodb.eu-central-1.amazonaws.com',
    'https://dynamodb.cn-north-1.amazonaws.com.cn',
    'https://dynamodb.eu-central-1.api.aws',
    'https://dynamodb.cn-north-1.api.amazonwebservices.com.cn',
    'https://dynamodb.eusc-de-east-1.amazonaws.eu',
    'https://vpce-1a2b.dynamodb.eu-central-1.vpce.amazonaws.com',
  ])('has an endpoint of its own beside %s', async (endpoint) => {
    expect(await hostOf(endpoint)).toBeUndefined()
  })

  it('is the one with validated cryptography beside such an endpoint of DynamoDB', async () => {
    const client = new DynamoDBClient({
      region: 'us-east-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    })
    const { config } = await cloudWatchOf(client, new URL('https://dynamodb-fips.us-east-1.amazonaws.com'))
    expect(await config.useFipsEndpoint()).toBe(true)
  })

  it('is at the endpoint of another engine', async () => {
    expect(await hostOf('http://127.0.0.1:8000')).toBe('127.0.0.1')
  })
})
