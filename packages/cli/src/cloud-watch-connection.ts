import { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/**
 * How the names of Amazon DynamoDB's own endpoints end, also those of a VPC: for each partition, and for both IP versions. They know
 * nothing of CloudWatch. They are the partitions of the SDK, which has no function that returns them.
 */
const OF_AMAZON = [
  'amazonaws.com',
  'amazonaws.com.cn',
  'amazonaws.eu',
  'api.aws',
  'api.amazonwebservices.com.cn',
  'api.amazonwebservices.eu',
  'c2s.ic.gov',
  'sc2s.sgov.gov',
  'csp.hci.ic.gov',
  'cloud.adc-e.uk',
  'api.aws.ic.gov',
  'api.aws.scloud',
  'api.aws.hci.ic.gov',
  'api.cloud-aws.adc-e.uk',
]

/**
 * CloudWatch with the region and the credentials of a DynamoDB client. Another engine with an endpoint answers for CloudWatch at the
 * same address.
 */
export async function cloudWatchOf(
  { config }: DynamoDBClient,
  endpoint: URL | undefined,
): Promise<CloudWatchClient> {
  const isFips = endpoint !== undefined && /^dynamodb-fips\./.test(endpoint.hostname)
  return new CloudWatchClient({
    region: await config.region(),
    credentials: config.credentials,
    ...(endpoint === undefined || isOfAmazon(endpoint) ? {} : { endpoint: endpoint.href }),
    ...(isFips ? { useFipsEndpoint: true } : {}),
  })
}

function isOfAmazon({ hostname }: URL): boolean {
  return OF_AMAZON.some((ending) => hostname.endsWith(`.${ending}`))
}
