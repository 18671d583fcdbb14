import { expect, it } from 'vitest'
import { isAmazonHost, streamsHostOf } from './amazon-host.js'

it.each([
  'dynamodb.eu-central-1.amazonaws.com',
  'dynamodb.cn-north-1.amazonaws.com.cn',
  'dynamodb.eu-central-1.api.aws',
  'dynamodb.cn-north-1.api.amazonwebservices.com.cn',
  'dynamodb.eusc-de-east-1.amazonaws.eu',
  'vpce-1a2b.dynamodb.eu-central-1.vpce.amazonaws.com',
])('%s is of Amazon DynamoDB', (host) => {
  expect(isAmazonHost(host)).toBe(true)
})

it.each(['127.0.0.1', 'localhost', 'scylla.example', 'amazonaws.com.example', 'notamazonaws.com'])(
  '%s is not',
  (host) => {
    expect(isAmazonHost(host)).toBe(false)
  },
)

it('a region has a host for streams, except in the form for both IP versions', () => {
  expect(streamsHostOf('dynamodb.eu-central-1.amazonaws.com')).toBe(
    'streams.dynamodb.eu-central-1.amazonaws.com',
  )
  expect(streamsHostOf('dynamodb.eu-central-1.api.aws')).toBeUndefined()
  expect(streamsHostOf('dynamodb.eu-central-1xamazonaws.com')).toBeUndefined()
})
