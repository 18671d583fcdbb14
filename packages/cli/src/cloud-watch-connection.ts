import { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** Endpoints of Amazon DynamoDB that are named, also those of a VPC. They know nothing of CloudWatch. */
const OF_AMAZON = /\.(amazonaws\.com(\.cn)?|api\.aws)$/

/**
 * CloudWatch with the region and the credentials of a DynamoDB client. Another engine with an endpoint answers for CloudWatch at the
 * same address.
 */
export async function cloudWatchOf(
  { config }: DynamoDBClient,
  endpoint: URL | undefined,
): Promise<CloudWatchClient> {
  return new CloudWatchClient({
    region: await config.region(),
    credentials: config.credentials,
    ...(endpoint === undefined || OF_AMAZON.test(endpoint.hostname) ? {} : { endpoint: endpoint.href }),
  })
}
