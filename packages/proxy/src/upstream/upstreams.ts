import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { Service } from '../wire/service-of.js'
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
 * An endpoint of Amazon DynamoDB that is named, as in `upstream: https://dynamodb.eu-central-1.amazonaws.com`. It knows no streams. The
 * names of those of an account begin with its number. The SDK refuses the names of those for both IP versions (`api.aws`).
 */
const OF_AMAZON =
  /^(?:dynamodb|\d{12}\.ddb)((?:-fips)?\.[a-z0-9-]+\.(?:amazonaws\.(?:com|com\.cn|eu)|(?:c2s|csp\.hci)\.ic\.gov|sc2s\.sgov\.gov|cloud\.adc-e\.uk))$/

/** The rules for the host names of streams are in their own client, which is loaded when a caller reads streams. */
async function streamsEndpoint(
  { config }: DynamoDBClient,
  items: () => Promise<UpstreamEndpoint>,
): Promise<UpstreamEndpoint> {
  const ofItems = config.endpoint === undefined ? undefined : await items()
  const [, place] = OF_AMAZON.exec(ofItems?.hostname ?? '') ?? []
  if (ofItems !== undefined && place !== undefined)
    return { ...ofItems, hostname: `streams.dynamodb${place}` }
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
