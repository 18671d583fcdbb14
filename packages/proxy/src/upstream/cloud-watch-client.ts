import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { otherEngine } from './other-engine.js'
import { upstreamEndpoint } from './upstream-endpoint.js'

/**
 * CloudWatch with the region and the credentials of a client. Another engine than Amazon DynamoDB answers for CloudWatch at its own address:
 * AWS knows nothing of its tables, and its made-up credentials are not sent there.
 */
export async function cloudWatchClientOf(client: DynamoDBClient): Promise<CloudWatchClient> {
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch')
  const { region, credentials, endpoint } = client.config
  const engine = await otherEngine(client)
  // An endpoint in the environment leaves room for one of CloudWatch there, as of a proxy in front of Amazon DynamoDB.
  const isAtEngine =
    engine !== undefined && (endpoint !== undefined || !(await hasConfiguredEndpoint(client)))
  return new CloudWatchClient({
    region,
    credentials,
    ...(isAtEngine ? { endpoint: engine.href } : {}),
    ...((await isFips(client)) ? { useFipsEndpoint: true } : {}),
  })
}

/**
 * Whether the environment or a profile names an endpoint of CloudWatch. It is then the same in each region. The SDK has no function that
 * returns it.
 */
async function hasConfiguredEndpoint({ config }: DynamoDBClient): Promise<boolean> {
  const { CloudWatchClient, ListMetricsCommand } = await import('@aws-sdk/client-cloudwatch')
  const [one, other] = await Promise.all(
    ['us-east-1', 'us-west-2'].map(async (region) => {
      const client = new CloudWatchClient({ region, credentials: config.credentials })
      const { hostname } = await upstreamEndpoint(client, new ListMetricsCommand({}) as never)
      client.destroy()
      return hostname
    }),
  )
  return one === other
}

/** Whether a client asks an endpoint with validated cryptography. */
async function isFips(client: DynamoDBClient): Promise<boolean> {
  const command = new ListTablesCommand({}) as never
  const endpoint = await upstreamEndpoint(client, command).catch(() => undefined)
  return endpoint?.hostname.startsWith('dynamodb-fips.') ?? false
}
