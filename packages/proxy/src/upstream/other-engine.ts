import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { isAmazonHost } from './amazon-host.js'
import { addressOf, upstreamEndpoint } from './upstream-endpoint.js'

/**
 * The address of the engine that a client asks, if that is not Amazon DynamoDB. The client may have it from an option, from
 * `AWS_ENDPOINT_URL_DYNAMODB`, or from a profile. Unknown, as without a region, it counts as that of Amazon DynamoDB.
 */
export async function otherEngine(client: DynamoDBClient): Promise<URL | undefined> {
  const endpoint = await endpointOf(client).catch(() => undefined)
  if (endpoint === undefined || isAmazonHost(endpoint.hostname)) return undefined
  return new URL(endpoint.path, addressOf(endpoint))
}

/** One that was given needs neither a region nor credentials. */
function endpointOf(client: DynamoDBClient) {
  return client.config.endpoint?.() ?? upstreamEndpoint(client, new ListTablesCommand({}) as never)
}
