import { requireText } from '../../options/check.js'
import type { ShardMapCache } from './shard-map-cache.js'

/** The part of a client of the package `redis` that is used; any client, pool or cluster of it has it. */
export interface RedisClient {
  get(key: string): Promise<unknown>
  set(key: string, value: string, options: { readonly PX: number }): Promise<unknown>
}

export interface RedisShardMapCacheOptions {
  /** What the Redis keys begin with. Default `isotherm:`. */
  readonly prefix?: string
}

/**
 * Shares the shard counts of a fleet through Redis, Valkey or whatever else the package `redis` connects to.
 *
 * The client is yours: connected, with your time-outs and your listener of its `error` event, and closed by you. Nothing is
 * imported here, so nothing is bundled. Each text is one `GET` or one `SET` with a time to live.
 *
 * @throws IsothermError `options.invalid`
 * @example
 * const redis = await createClient({ url: 'redis://cache:6379' }).on('error', console.error).connect()
 * const secondLevelCache = { cache: redisShardMapCache(redis), clockSkew: '1s' }
 */
export function redisShardMapCache(
  client: RedisClient,
  options: RedisShardMapCacheOptions = {},
): ShardMapCache {
  const prefix = requireText('redisShardMapCache.prefix', options.prefix ?? 'isotherm:', 'a text')
  // A table's name has no colon, so no two pairs of table and key have the same name here.
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
