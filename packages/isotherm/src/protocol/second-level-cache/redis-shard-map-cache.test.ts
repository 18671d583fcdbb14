import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sdkClient } from '../../../test/fake-client.js'
import { FakeTables } from '../../../test/fake-tables.js'
import { connected, isRedisInstalled, type RedisServer, startRedis } from '../../../test/redis-server.js'
import { isotherm } from '../../client/isotherm.js'
import type { IsothermEvent } from '../../events/event.js'
import { dynamicShards } from '../../scaling/shards.js'
import { redisShardMapCache } from './redis-shard-map-cache.js'

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

    it('gives back what was set, for its table and key', async () => {
      const cache = redisShardMapCache(client)
      expect(await cache.get('log_shard_map', '/a b:c')).toBeUndefined()
      await cache.set('log_shard_map', '/a b:c', 'text', 60_000)
      expect(await cache.get('log_shard_map', '/a b:c')).toBe('text')
      expect(await cache.get('other_shard_map', '/a b:c')).toBeUndefined()
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
      const tables = new FakeTables()
        .create('log', { partitionKey: 'pk', sortKey: 'at' })
        .create('log_shard_map', { partitionKey: 'pk' })
      // Without a card, a shard map with an item makes one that lists all keys.
      const Item = { pk: { S: 'k' }, number_of_shards: { N: '3' }, last_updated: { N: '1' } }
      tables.execute('PutItem', { TableName: 'log_shard_map', Item })
      const events: IsothermEvent[] = []
      const sdk = await sdkClient(tables)
      const cache = redisShardMapCache(ownClient)
      const open = () =>
        isotherm(sdk, {
          tables: {
            log: {
              partitionKey: 'pk',
              sortKey: 'at',
              suffix: 'random',
              shards: dynamicShards({ initial: 3 }),
            },
          },
          secondLevelCache: { cache, timeout: '5s' },
          onEvent: (event) => events.push(event),
        })
      const put = new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, at: { N: '1' } } })
      const mapReads = () =>
        tables.requests.filter(
          ({ operation, input }) =>
            operation === 'GetItem' && input.TableName === 'log_shard_map' && input.Key.pk.S === 'k',
        ).length
      await open().send(put)
      await expect.poll(() => ownClient.exists('isotherm:log_shard_map:k')).toBe(1)
      await open().send(put)
      expect(mapReads()).toBe(1)
      expect(events).toEqual([])
      await own.stop()
      await open().send(put)
      expect(mapReads()).toBe(2)
      expect(events).toMatchObject([{ type: 'failed', table: 'log', task: 'second-level-cache' }])
      ownClient.destroy()
    })
  },
)
