import { invalidOption, refuseUnknown, requireText } from '../../options/check.js'
import type { ShardMapCache } from './shard-map-cache.js'

/** The methods that Isotherm calls on a client of the `redis` package. Its clients, pools and clusters all have them. */
export interface RedisClient {
  /** The value of a key, or `null`. */
  get(key: string): Promise<unknown>
  /** Sets a key. `PX` is its life in milliseconds. */
  set(key: string, value: string, options: { readonly PX: number }): Promise<unknown>
}

/** Options of `redisShardMapCache`. */
export interface RedisShardMapCacheOptions {
  /** Prefix of every Redis key. Default `isotherm:`. */
  readonly prefix?: string | undefined
}

/**
 * Creates a second-level cache that shares the shard counts of a fleet through Redis, Valkey, or any other server that the `redis`
 * package connects to.
 *
 * You own the client: connect it, set its timeouts, listen to its `error` event, and close it. Isotherm does not import the `redis`
 * package, so nothing is added to your bundle. Each cache access is one `GET`, or one `SET` with a time to live.
 *
 * @param client a client, pool or cluster of the `redis` package
 * @returns the cache, for the option `secondLevelCache.cache`
 * @throws IsothermError `options.invalid` or `options.unknown`, for options of the cache, or something in place of the client
 * @example
 * const redis = createClient({ url: 'redis://cache:6379' }).on('error', console.error)
 * redis.connect().catch(console.error) // not awaited: without Redis, the application starts, too
 * const secondLevelCache = { cache: redisShardMapCache(redis), clockSkew: '1s' }
 */
export function redisShardMapCache(
  client: RedisClient,
  options: RedisShardMapCacheOptions = {},
): ShardMapCache {
  refuseUnknown('redisShardMapCache', options, ['prefix'])
  const { get, set }: Partial<Record<keyof RedisClient, unknown>> = Object(client)
  if (typeof get !== 'function' || typeof set !== 'function') {
    // Not the value itself: an address may hold a password.
    const rule = 'that of a client of the package redis, with get and set'
    throw invalidOption('The type of the client of redisShardMapCache', typeof client, rule)
  }
  const prefix = requireText('redisShardMapCache.prefix', options.prefix ?? 'isotherm:', 'a text')
  // A table name contains no colon, so different pairs of table and key always get different names.
  const nameOf = (table: string, key: string) => `${prefix}${table}:${key}`
  return {
    async get(table, key) {
      const value = await client.get(nameOf(table, key))
      return typeof value === 'string' ? value : undefined
    },
    async set(table, key, value, ttlMilliseconds) {
      await client.set(nameOf(table, key), value, { PX: Math.max(1, Math.ceil(ttlMilliseconds)) })
    },
  }
}
