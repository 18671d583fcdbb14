import { invalidOption, refuseUnknown, requireObject } from '../../options/check.js'
import { type Duration, parseDuration } from '../../options/duration.js'
import type { ShardMapCache } from './shard-map-cache.js'

/** How processes share what they read from the shard map. */
export interface SecondLevelCacheOptions {
  /** Where the counts are kept: `redisShardMapCache(client)`, or your own. */
  readonly cache: ShardMapCache
  /**
   * How far the clocks of two processes may be apart. Every text counts as so much older than it says, so that no process
   * uses a count longer than `cacheTtl` after it was read. Default `'1s'`; hosts that keep their time by NTP are far closer.
   */
  readonly clockSkew?: Duration
  /** How long the cache is waited for before the table is asked instead. Default `'50ms'`. */
  readonly timeout?: Duration
}

/** The checked options with all defaults. */
export interface SecondLevelCache {
  readonly cache: ShardMapCache
  readonly clockSkewMilliseconds: number
  readonly timeoutMilliseconds: number
}

/** @throws IsothermError `options.unknown` or `options.invalid`, which name the option */
export function parseSecondLevelCache(path: string, options: SecondLevelCacheOptions): SecondLevelCache {
  refuseUnknown(path, requireObject(path, options, 'an object with the member cache'), [
    'cache',
    'clockSkew',
    'timeout',
  ])
  const cache: Partial<Record<keyof ShardMapCache, unknown>> = Object(options.cache)
  const isCache = [cache.get, cache.set].every((method) => typeof method === 'function')
  if (!isCache) throw invalidOption(`${path}.cache`, options.cache, 'an object with get and set')
  return {
    cache: options.cache,
    clockSkewMilliseconds: parseDuration(`${path}.clockSkew`, options.clockSkew ?? '1s'),
    timeoutMilliseconds: parseDuration(`${path}.timeout`, options.timeout ?? '50ms'),
  }
}
