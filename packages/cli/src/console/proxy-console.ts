import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type ConsoleSite, consoleSite } from '@isotherm/console'
import { SystemClock } from '@isotherm/runtime'
import { cloudWatchOf } from '../cloud-watch-connection.js'
import { CommandError, EXIT_FAILED } from '../command-error.js'

/** The console of a proxy: what its upstream publishes. Its items go through the library, as those of an application. */
export async function proxyConsole(
  client: DynamoDBClient,
  upstream: URL | undefined,
): Promise<{ readonly site: ConsoleSite; close(): void }> {
  const { remoteFailure, remoteSource } = await import('@isotherm/console/remote')
  const region = await client.config.region().catch((error: unknown) => {
    const shown = upstream?.origin ?? 'Amazon DynamoDB'
    throw new CommandError(remoteFailure(shown, error).message, EXIT_FAILED)
  })
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
