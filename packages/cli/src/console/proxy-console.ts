import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type ConsoleSite, consoleSite } from '@isotherm/console'
import { SystemClock } from '@isotherm/runtime'
import { cloudWatchOf } from '../cloud-watch-connection.js'

/** The console of a proxy: what its upstream publishes. Its items go through the library, as those of an application. */
export async function proxyConsole(
  client: DynamoDBClient,
  upstream: URL | undefined,
): Promise<{ readonly site: ConsoleSite; close(): void }> {
  const { remoteSource } = await import('@isotherm/console/remote')
  const region = await client.config.region()
  const cloudWatch = await cloudWatchOf(client, upstream)
  const source = remoteSource({
    client,
    cloudWatch,
    clock: new SystemClock(),
    region,
    endpoint: upstream?.origin ?? `Amazon DynamoDB in ${region}`,
    allowsWrites: true,
  })
  return { site: consoleSite({ source }), close: () => cloudWatch.destroy() }
}
