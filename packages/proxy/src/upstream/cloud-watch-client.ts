import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { isTrustedHost } from '@isotherm/local/service'
import { addressOf, upstreamEndpoint } from './upstream-endpoint.js'

/**
 * CloudWatch with the region and the credentials of an upstream. An engine on this machine answers for CloudWatch at its own address, and
 * its made-up credentials are not sent to AWS.
 */
export async function cloudWatchClientOf(client: DynamoDBClient): Promise<CloudWatchClient> {
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch')
  // A missing region may be there later. Until then nothing is sent.
  const upstream = await upstreamEndpoint(client, new ListTablesCommand({}) as never).catch(() => undefined)
  return new CloudWatchClient({
    region: client.config.region,
    credentials: client.config.credentials,
    ...(upstream !== undefined && isTrustedHost(upstream.hostname, [])
      ? { endpoint: addressOf(upstream) }
      : {}),
  })
}
