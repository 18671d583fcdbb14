import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type ConsoleSite, consoleSite } from '@isotherm/console'
import { cloudWatchClientOf } from '@isotherm/proxy/upstream'
import type { IsothermMethods } from 'isotherm'
import { calendarClock } from '../calendar-clock.js'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { processKeys } from './process-keys.js'

/** Another engine than Amazon DynamoDB may be stopped and started while it is looked at. */
const ENGINE_CHECK_SECONDS = 5

/** What a proxy is in front of. */
export interface ProxyUpstream {
  readonly client: DynamoDBClient
  /** Amazon DynamoDB without it. */
  readonly upstream: URL | undefined
  /** The sharded tables. */
  readonly tables: readonly string[]
  /** The proxy, as people know it. */
  readonly name: string
}

/** The console of a proxy. */
export interface ProxyConsole {
  readonly site: ConsoleSite
  /** Shows the hottest keys of the proxy's own client, once there is one. */
  show(db: Pick<IsothermMethods, 'heat'>): void
  close(): void
}

/**
 * The console of a proxy: what its upstream publishes, and the keys of its own requests. Its items go through the library,
 * as those of an application.
 */
export async function proxyConsole({ client, upstream, tables, name }: ProxyUpstream): Promise<ProxyConsole> {
  const { remoteFailure, remoteSource } = await import('@isotherm/console/remote')
  const region = await client.config.region().catch((error: unknown) => {
    const shown = upstream?.origin ?? 'Amazon DynamoDB'
    throw new CommandError(remoteFailure(shown, error).message, EXIT_FAILED)
  })
  const cloudWatch = await cloudWatchClientOf(client)
  let shown: Pick<IsothermMethods, 'heat'> = { heat: () => [] }
  const source = remoteSource({
    client,
    cloudWatch,
    clock: calendarClock(),
    region,
    endpoint: upstream?.origin ?? `Amazon DynamoDB in ${region}`,
    allowsWrites: true,
    ...(upstream === undefined ? {} : { checkSeconds: ENGINE_CHECK_SECONDS }),
    process: { name, tables, heat: ({ table, index }) => processKeys(shown, table, index) },
  })
  return {
    site: consoleSite({ source }),
    show(db) {
      shown = db
    },
    close: () => cloudWatch.destroy(),
  }
}
