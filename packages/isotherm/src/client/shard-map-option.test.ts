import { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { scanned } from '../../test/sharded-engine.js'
import { warmedUp } from '../../test/warmed-up.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'
import type { ShardMapOption } from './options.js'
import { rebuildShardMap } from './rebuild-shard-map.js'

const TableName = 'log'
const by_status = { partitionKey: 'status', shards: dynamicShards() }
const put = (at: number) =>
  new PutItemCommand({ TableName, Item: { pk: { S: 'k' }, sk: { N: String(at) }, status: { S: 'open' } } })
const query = new QueryCommand({
  TableName,
  KeyConditionExpression: 'pk = :k',
  ExpressionAttributeValues: { ':k': { S: 'k' } },
  ConsistentRead: true,
})

describe.each(['random', 'calculated'] as const)('a shard map with a client of its own (%s)', (suffix) => {
  it('gets all of its requests through that client, and the table none of them', async () => {
    const clock = new VirtualClock()
    const [here, there] = [1, 2].map((seed) =>
      createLocal({ clock, random: new SeededRandom(seed), throttle: false }),
    )
    if (here === undefined || there === undefined) throw new Error('There are two engines.')
    const [client, ofMap] = [await warmedUp(here.client()), await warmedUp(there.client())]
    await clock.run(async () => {
      const global = { by_status: ['isotherm_by_status'] } as const
      await client.send(createTable(TableName, ['pk', 'sk:N'], { global }))
      await ensureShardMap(client, { table: TableName, shardMap: 'counts', shardMapClient: ofMap, clock })
      const asked = new Set<unknown>()
      watchRequests(client, { before: ({ input }) => asked.add(input.TableName) })
      watchRequests(ofMap, { before: ({ input }) => expect(input.TableName).toBe('counts') })
      const options = {
        partitionKey: 'pk',
        sortKey: 'sk',
        suffix,
        shards: dynamicShards(),
        shardMap: { table: 'counts', client: ofMap },
        indexes: { by_status },
      } as const
      const open = () => isotherm(client, { tables: { log: options }, clock, random: new SeededRandom(3) })
      const db = open()
      await db.shards(TableName, 'k').set(5)
      await db.shards(TableName, 'k').drain()
      await db.shards(TableName, 'open', { index: 'by_status' }).set(3)
      for (let at = 0; at < 30; at++) await db.send(put(at))
      expect((await open().send(query)).Count).toBe(30)
      await db.migrate(TableName, { initial: 2 })
      expect((await open().send(query)).Count).toBe(30)
      const given = { ...options, shards: dynamicShards({ initial: 2 }) }
      const report = await rebuildShardMap(client, { table: TableName, options: given, clock })
      expect(report).toMatchObject({ isRebuilt: true, keys: 1 })
      await clock.sleep(60_000)
      expect((await db.send(query)).Count).toBe(30)
      expect(asked).not.toContain('counts')
      expect((await scanned(ofMap, 'counts')).length).toBeGreaterThan(2)
      db.destroy()
    })
    await here.close()
    await there.close()
  })
})

describe('the option shardMap', () => {
  const client = new DynamoDBClient({ region: 'eu-west-1' })
  const withMap = (shardMap: string | ShardMapOption) =>
    isotherm(client, {
      tables: {
        log: { partitionKey: 'pk', sortKey: 'sk', suffix: 'random', shards: dynamicShards(), shardMap },
      },
    })

  it.each([
    ['an empty name', '', 'shardMap is ""'],
    ['an unknown member', { name: 'counts' }, 'shardMap.name is not an option'],
    ['a client that is none', { client: {} }, 'shardMap.client is {}; it must be a client'],
    ['an empty table', { table: '' }, 'shardMap.table is ""'],
    ['the table itself', { table: 'log' }, 'shardMap.table is "log"; it must be the name of another table'],
    [
      'the table itself, and a client',
      { table: 'log', client },
      'shardMap.table is "log"; it must be the name',
    ],
  ] as const)('is refused with %s', (_what, shardMap, message) => {
    expect(() => withMap(shardMap as ShardMapOption)).toThrow(message)
  })

  it('is refused with a sharded client', () => {
    expect(() => withMap({ client: withMap('counts') })).toThrow('shardMap.client is "a sharded client"')
  })

  it('may name the table alone, or the client alone', () => {
    expect(() => [withMap({ table: 'counts' }), withMap({ client })]).not.toThrow()
  })
})
