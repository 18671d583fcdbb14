import { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/**
 * CloudWatch with the region and the credentials of a DynamoDB client. An engine with an endpoint answers for CloudWatch at the same
 * address.
 */
export async function cloudWatchOf(
  { config }: DynamoDBClient,
  endpoint: URL | undefined,
): Promise<CloudWatchClient> {
  return new CloudWatchClient({
    region: await config.region(),
    credentials: config.credentials,
    ...(endpoint === undefined ? {} : { endpoint: endpoint.href }),
  })
}
