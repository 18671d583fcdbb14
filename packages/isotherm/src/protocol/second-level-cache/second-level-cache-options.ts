import { invalidOption, refuseUnknown, requireObject } from '../../options/check.js'
import { type Duration, parseDuration } from '../../options/duration.js'
import type { ShardMapCache } from './shard-map-cache.js'

/** Options of the second-level cache, through which processes share their reads of the shard map. */
export interface SecondLevelCacheOptions {
  /** The cache that stores the shard counts: `redisShardMapCache(client)`, or your own implementation. */
  readonly cache: ShardMapCache
  /**
   * The largest difference between the clocks of any two processes. Default `'1s'`; hosts that synchronise with NTP are much
   * closer.
   *
   * Each cached entry is treated as older by this amount, so no process uses a count for longer than `cacheTtl` after it was read.
   */
  readonly clockSkew?: Duration | undefined
  /** How long a process waits for the cache before it reads the shard map instead. Default `'50ms'`. */
  readonly timeout?: Duration | undefined
}

/** The checked options with all defaults. */
export interface SecondLevelCache {
  readonly cache: ShardMapCache
  readonly clockSkewMilliseconds: number
  readonly timeoutMilliseconds: number
}

/** @throws IsothermError `options.unknown` or `options.invalid`; the error names the option */
export function parseSecondLevelCache(path: string, options: SecondLevelCacheOptions): SecondLevelCache {
  refuseUnknown(path, requireObject(path, options, 'an object with the member cache'), [
    'cache',
    'clockSkew',
    'timeout',
  ])
  const cache: Partial<Record<keyof ShardMapCache | 'sendCommand', unknown>> = Object(options.cache)
  const isCache = [cache.get, cache.set].every((method) => typeof method === 'function')
  // Not the value itself: an address, or a client, may hold a password.
  if (!isCache) throw invalidOption(`${path}.cache`, typeof options.cache, 'an object with get and set')
  // Its methods have the same names, and other parameters: it would store counts without an end, and find none.
  if (typeof cache.sendCommand === 'function') {
    throw invalidOption(`${path}.cache`, 'a client of Redis', 'redisShardMapCache(client)')
  }
  return {
    cache: options.cache,
    clockSkewMilliseconds: parseDuration(`${path}.clockSkew`, options.clockSkew ?? '1s'),
    timeoutMilliseconds: parseDuration(`${path}.timeout`, options.timeout ?? '50ms'),
  }
}
