import { allowManyListeners } from '@isotherm/runtime'
import { refuseUnknown, requireInteger } from '../options/check.js'
import { markSharded, requireUnshardedClient } from '../options/given-client.js'
import type { MigrateOptions } from '../scaling/migrating/migrate.js'
import { MAX_FOLLOWED_KEYS } from '../scaling/sensing/key-heat.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import type { HeatOptions, IndexShardsOptions, IsothermMethods } from './isotherm-methods.js'
import { routedStack } from './routed-stack.js'
import { type ClientMake, Router } from './router.js'

/**
 * The common type of all AWS SDK v3 clients for DynamoDB: `DynamoDBClient`, `DynamoDBDocumentClient`, and the clients
 * with one method for each command.
 */
export interface SdkClient {
  readonly config: object
  readonly middlewareStack: object
  /** Ends the connections of the client. */
  destroy(): void
}

/** The default number of keys in a heat report. */
const DEFAULT_HOTTEST_KEYS = 10

type Callback = (error: unknown, output?: unknown) => void

/**
 * Creates the sharded client.
 * @param parse checks the options, after the client was checked
 */
export function shardedClient<Client extends SdkClient>(
  client: Client,
  parse: () => ClientMake,
): Client & IsothermMethods {
  requireUnshardedClient(
    client,
    'a client that is not sharded yet: call isotherm once, with all tables, and use its result everywhere',
  )
  const destroyed = new AbortController()
  // Every running query and every key with work in progress listens to it.
  allowManyListeners(destroyed.signal)
  const router = new Router(client as unknown as PhysicalClient, parse(), destroyed.signal)
  const method = (value: (...args: never[]) => unknown) => ({ configurable: true, writable: true, value })
  const middlewareStack = routedStack(client.middlewareStack, (command, options) =>
    router.routeOfOther(command, options),
  )
  markSharded(middlewareStack)
  return Object.create(client, {
    // Writable, because mocks replace it.
    middlewareStack: { configurable: true, writable: true, enumerable: true, value: middlewareStack },
    send: method((command: AnyCommand, optionsOrCallback?: SendOptions | Callback, callback?: Callback) => {
      const options = typeof optionsOrCallback === 'function' ? undefined : optionsOrCallback
      const listener = typeof optionsOrCallback === 'function' ? optionsOrCallback : callback
      const result = router.route(command, options)
      if (listener === undefined) return result
      // As in the SDK, errors thrown by the callback are ignored.
      result.then((output) => listener(null, output), listener).catch(() => {})
      return undefined
    }),
    explain: method((command: AnyCommand) => router.explain(command)),
    heat: method((options: HeatOptions = {}) => router.heat(parseTop(options))),
    shards: method((table: string, key: string | number | Uint8Array, options?: IndexShardsOptions) => {
      if (options === undefined) return router.shards(table, key)
      refuseUnknown('shards', options, ['index'])
      return router.indexShards(table, key, options.index)
    }),
    migrate: method((table: string, options: MigrateOptions) => router.migrate(table, options)),
    destroy: method(() => {
      destroyed.abort()
      client.destroy()
    }),
  })
}

function parseTop(options: HeatOptions): number {
  refuseUnknown('heat', options, ['top'])
  return requireInteger('heat.top', options.top ?? DEFAULT_HOTTEST_KEYS, 1, MAX_FOLLOWED_KEYS)
}
