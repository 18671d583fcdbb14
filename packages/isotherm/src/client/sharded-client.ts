import { setMaxListeners } from 'node:events'
import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'
import { MAX_FOLLOWED_KEYS } from '../scaling/sensing/key-heat.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import type { HeatOptions, IsothermMethods } from './isotherm-methods.js'
import { type ClientMake, Router } from './router.js'

/** What every client of the AWS SDK v3 has: `DynamoDBClient`, `DynamoDBDocumentClient` and their one-method-a-command kin. */
export interface SdkClient {
  readonly config: object
  readonly middlewareStack: object
  destroy(): void
}

/** As many as people look at. */
const DEFAULT_HOTTEST_KEYS = 10

type Callback = (error: unknown, output?: unknown) => void

/**
 * Around the client.
 * @param parse checks the options, after the client was looked at
 */
export function shardedClient<Client extends SdkClient>(
  client: Client,
  parse: () => ClientMake,
): Client & IsothermMethods {
  requireClient(client)
  const destroyed = new AbortController()
  // Every query under way and every key at work listens, which is no leak.
  setMaxListeners(0, destroyed.signal)
  const router = new Router(client as unknown as PhysicalClient, parse(), destroyed.signal)
  const method = (value: (...args: never[]) => unknown) => ({ configurable: true, writable: true, value })
  return Object.create(client, {
    send: method((command: AnyCommand, optionsOrCallback?: SendOptions | Callback, callback?: Callback) => {
      const options = typeof optionsOrCallback === 'function' ? undefined : optionsOrCallback
      const listener = typeof optionsOrCallback === 'function' ? optionsOrCallback : callback
      const result = router.route(command, options)
      if (listener === undefined) return result
      // As in the SDK, what a callback throws is the callback's own affair.
      result.then((output) => listener(null, output), listener).catch(() => {})
      return undefined
    }),
    explain: method((command: AnyCommand) => router.explain(command)),
    heat: method((options: HeatOptions = {}) => router.heat(parseTop(options))),
    shards: method((table: string, key: string | Uint8Array) => router.shards(table, key)),
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

function requireClient(client: unknown): void {
  const isClient = ['send', 'config', 'middlewareStack'].every((member) => member in Object(client))
  if (!isClient)
    throw invalidOption('client', client, 'a DynamoDBClient or a DynamoDBDocumentClient of the AWS SDK v3')
}
