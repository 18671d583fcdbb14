import { SystemClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connected, isRedisInstalled, type RedisServer, startRedis } from '../../test/redis-server.js'
import { MemoryShardMap } from '../../test/shared-map.js'
import type { LogicalKey } from '../keys/key.js'
import { firstState } from '../shard-map/shard-state.js'
import { CachedShardMapStore } from './cached-shard-map-store.js'
import { redisShardMapCache } from './redis-shard-map-cache.js'
import { parseSecondLevelCache } from './second-level-cache-options.js'

const key = { S: 'k' } as LogicalKey

describe.skipIf(!isRedisInstalled())(
  'a real Redis as second-level cache (skipped without redis-server)',
  () => {
    let server: RedisServer
    let client: Awaited<ReturnType<typeof connected>>

    beforeAll(async () => {
      server = await startRedis()
      client = await connected(server.url)
    })
    afterAll(async () => {
      client.destroy()
      await server.stop()
    })

    it('gives back what was set, and nothing after it was deleted', async () => {
      const cache = redisShardMapCache(client)
      expect(await cache.get('log_shard_map', '/a b:c')).toBeUndefined()
      await cache.set('log_shard_map', '/a b:c', 'text', 60_000)
      expect(await cache.get('log_shard_map', '/a b:c')).toBe('text')
      expect(await cache.get('other_shard_map', '/a b:c')).toBeUndefined()
      await cache.delete('log_shard_map', '/a b:c')
      expect(await cache.get('log_shard_map', '/a b:c')).toBeUndefined()
    })

    it('keeps keys of any bytes apart', async () => {
      const cache = redisShardMapCache(client, { prefix: 'bytes:' })
      const keys = ['\u00ff\u0000', '\u00fe\u0000', 'ä', 'a\u0308', '🔥']
      for (const key of keys) await cache.set('map', key, `of ${key}`, 60_000)
      expect(await Promise.all(keys.map((key) => cache.get('map', key)))).toEqual(
        keys.map((key) => `of ${key}`),
      )
    })

    it('forgets by itself when the lifetime ends', async () => {
      await redisShardMapCache(client).set('map', 'short', 'text', 30_000.4)
      const left = await client.pTTL('isotherm:map:short')
      expect(left).toBeGreaterThan(25_000)
      expect(left).toBeLessThanOrEqual(30_001)
    })

    it('carries a count from one process to another, and lets requests through when it dies', async () => {
      const own = await startRedis()
      const ownClient = await connected(own.url)
      const table = new MemoryShardMap()
      const failures: unknown[] = []
      const open = () =>
        new CachedShardMapStore({
          store: table,
          table: { shardMap: 'map', cacheMilliseconds: 60_000 },
          secondLevel: parseSecondLevelCache('cache', {
            cache: redisShardMapCache(ownClient),
            timeout: '5s',
          }),
          clock: new SystemClock(),
          onFailed: (error) => failures.push(error),
        })
      await open().create(key, 3)
      await expect.poll(() => ownClient.exists('isotherm:map:k')).toBe(1)
      expect((await open().read(key, false)).state?.shards).toBe(3)
      expect(table.reads).toBe(0)
      expect(failures).toEqual([])
      await own.stop()
      table.state = firstState(4, 1)
      expect((await open().read(key, false)).state?.shards).toBe(4)
      expect(table.reads).toBe(1)
      expect(failures).toHaveLength(1)
      ownClient.destroy()
    })
  },
)
