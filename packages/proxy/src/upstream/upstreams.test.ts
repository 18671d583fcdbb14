import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { upstreamsOf } from './upstreams.js'

const CREDENTIALS = { accessKeyId: 'a', secretAccessKey: 'b' }

async function hostsOf(endpoint: string | undefined) {
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: CREDENTIALS,
    ...(endpoint === undefined ? {} : { endpoint }),
  })
  const { dynamodb, streams } = upstreamsOf(client, new VirtualClock(), () => {})
  return Promise.all([dynamodb.address(), streams.address()])
}

describe('the endpoint of streams', () => {
  it.each([
    [undefined, 'https://streams.dynamodb.eu-central-1.amazonaws.com'],
    ['https://dynamodb.eu-central-1.amazonaws.com', 'https://streams.dynamodb.eu-central-1.amazonaws.com'],
    ['https://dynamodb.cn-north-1.amazonaws.com.cn', 'https://streams.dynamodb.cn-north-1.amazonaws.com.cn'],
    [
      'https://dynamodb-fips.us-east-1.amazonaws.com',
      'https://streams.dynamodb-fips.us-east-1.amazonaws.com',
    ],
    ['https://dynamodb.eusc-de-east-1.amazonaws.eu', 'https://streams.dynamodb.eusc-de-east-1.amazonaws.eu'],
    [
      'https://111122223333.ddb.eu-central-1.amazonaws.com',
      'https://streams.dynamodb.eu-central-1.amazonaws.com',
    ],
    ['http://dynamodb.eu-central-1.amazonaws.com', 'http://streams.dynamodb.eu-central-1.amazonaws.com'],
  ])('of Amazon DynamoDB at %s has a host of its own', async (endpoint, streams) => {
    expect((await hostsOf(endpoint))[1]).toBe(streams)
  })

  it('is that of items where another engine is named', async () => {
    const [items, streams] = await hostsOf('http://127.0.0.1:8000')
    expect(items).toBe('http://127.0.0.1:8000')
    expect(streams).toBe(items)
  })
})
