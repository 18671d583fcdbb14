import { expect, it } from 'vitest'
import { isAmazonHost, streamsHostOf } from './amazon-host.js'

it.each([
  'dynamodb.eu-central-1.amazonaws.com',
  'dynamodb.cn-north-1.amazonaws.com.cn',
  'dynamodb.eu-central-1.api.aws',
  'dynamodb.cn-north-1.api.amazonwebservices.com.cn',
  'dynamodb.eusc-de-east-1.amazonaws.eu',
  'dynamodb-fips.us-east-1.amazonaws.com',
  '111122223333.ddb.eu-central-1.amazonaws.com',
  '111122223333.ddb.eu-central-1.api.aws',
  'vpce-1a2b.dynamodb.eu-central-1.vpce.amazonaws.com',
])('%s is of Amazon DynamoDB', (host) => {
  expect(isAmazonHost(host)).toBe(true)
})

it.each([
  '127.0.0.1',
  'localhost',
  'scylla.example',
  'dynamodb.amazonaws.com.example',
  'dynamodb.notamazonaws.com',
  'ec2-198-51-100-7.eu-central-1.compute.amazonaws.com',
  'proxy-1234567890.eu-central-1.elb.amazonaws.com',
])('%s is not', (host) => {
  expect(isAmazonHost(host)).toBe(false)
})

it('a region has a host for streams, except in the form for both IP versions', () => {
  expect(streamsHostOf('dynamodb.eu-central-1.amazonaws.com')).toBe(
    'streams.dynamodb.eu-central-1.amazonaws.com',
  )
  expect(streamsHostOf('dynamodb.eu-central-1.api.aws')).toBeUndefined()
  expect(streamsHostOf('dynamodb.eu-central-1xamazonaws.com')).toBeUndefined()
})
