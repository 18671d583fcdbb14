import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { Service } from '../wire/service-of.js'
import { streamsHostOf } from './amazon-host.js'
import { Upstream } from './upstream.js'
import { type UpstreamEndpoint, upstreamEndpoint } from './upstream-endpoint.js'

/** The upstream of each service. */
export type Upstreams = Readonly<Record<Service, Upstream>>

/**
 * The endpoint of a client, and the endpoint of streams that belongs to it.
 * @param check throws for an endpoint that must not be used
 */
export function upstreamsOf(
  client: DynamoDBClient,
  clock: Clock,
  check: (endpoint: UpstreamEndpoint) => void,
): Upstreams {
  const { config } = client
  const checked = async (resolving: Promise<UpstreamEndpoint>) => {
    const endpoint = await resolving
    check(endpoint)
    return endpoint
  }
  const items = () => upstreamEndpoint(client, new ListTablesCommand({}) as never)
  return {
    dynamodb: new Upstream(config, clock, () => checked(items())),
    streams: new Upstream(config, clock, () => checked(streamsEndpoint(client, items))),
  }
}

/**
 * An endpoint of Amazon DynamoDB that is named, as in `upstream: https://dynamodb.eu-central-1.amazonaws.com`, knows no streams. The rules
 * for the host names of other streams are in their own client, which is loaded when a caller reads streams.
 */
async function streamsEndpoint(
  { config }: DynamoDBClient,
  items: () => Promise<UpstreamEndpoint>,
): Promise<UpstreamEndpoint> {
  const ofItems = config.endpoint === undefined ? undefined : await items()
  const hostname = streamsHostOf(ofItems?.hostname ?? '')
  if (ofItems !== undefined && hostname !== undefined) return { ...ofItems, hostname }
  const { DynamoDBStreamsClient, ListStreamsCommand } = await import('@aws-sdk/client-dynamodb-streams')
  const { region, credentials, useFipsEndpoint, useDualstackEndpoint, endpoint } = config
  const client = new DynamoDBStreamsClient({
    region,
    credentials,
    useFipsEndpoint,
    useDualstackEndpoint,
    ...(endpoint === undefined ? {} : { endpoint }),
  })
  try {
    return await upstreamEndpoint(client, new ListStreamsCommand({}) as never)
  } finally {
    client.destroy()
  }
}
