import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { warmedUp } from '../../test/warmed-up.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'
import type { ShardedTableOptions } from './options.js'
import { rebuildShardMap } from './rebuild-shard-map.js'

const KEYS = { log: ['pk', 'sk'], log_shard_map: ['pk'] } as const
const TABLES = Object.keys(KEYS) as readonly (keyof typeof KEYS)[]
const ITEMS = 40

type Item = Record<string, AttributeValue>

/** A region of a global table: an engine, and when each item was last written there. */
interface Region {
  readonly name: string
  readonly client: DynamoDBClient
  readonly writtenAt: Map<string, number>
}

interface World {
  readonly clock: VirtualClock
  readonly east: Region
  readonly west: Region
  open(region: Region, options: Partial<ShardedTableOptions>): ReturnType<typeof isotherm<DynamoDBClient>>
  /** Brings both regions to the same items: the later write of each wins. */
  replicate(): Promise<void>
}

const nameOf = (table: keyof typeof KEYS, item: Item) =>
  JSON.stringify([table, ...KEYS[table].map((key) => item[key])])

async function region(name: string, clock: VirtualClock, seed: number): Promise<Region> {
  const local = createLocal({ clock, random: new SeededRandom(seed), throttle: false })
  const client = await warmedUp(local.client())
  await client.send(createTable('log', ['pk', 'sk']))
  await client.send(createTable('log_shard_map', ['pk']))
  const writtenAt = new Map<string, number>()
  watchRequests(client, {
    after: ({ operation, input }) => {
      if (!/^(Put|Update|Delete)Item$/.test(operation)) return
      const key = (input.Item ?? input.Key) as Item
      writtenAt.set(nameOf(input.TableName as keyof typeof KEYS, key), clock.now())
    },
  })
  return { name, client, writtenAt }
}

async function copy(table: keyof typeof KEYS, from: Region, to: Region): Promise<void> {
  for await (const { Items = [] } of paginateScan({ client: from.client }, { TableName: table })) {
    for (const item of Items) {
      const name = nameOf(table, item)
      const at = from.writtenAt.get(name) ?? 0
      if (at <= (to.writtenAt.get(name) ?? 0)) continue
      await to.client.send(new PutItemCommand({ TableName: table, Item: item }))
      to.writtenAt.set(name, at)
    }
  }
}

async function within(work: (world: World) => Promise<void>): Promise<void> {
  const clock = new VirtualClock()
  await clock.run(async () => {
    const [east, west] = [await region('east', clock, 1), await region('west', clock, 2)]
    let seed = 5
    await work({
      clock,
      east,
      west,
      open: ({ client }, options) =>
        isotherm(client, {
          tables: {
            log: {
              partitionKey: 'pk',
              sortKey: 'sk',
              suffix: 'random',
              shards: dynamicShards({ quiet: false }),
              ...options,
            },
          },
          clock,
          random: new SeededRandom(seed++),
        }),
      replicate: async () => {
        for (const table of TABLES) {
          await copy(table, east, west)
          await copy(table, west, east)
        }
      },
    })
  })
}

async function puts(db: ReturnType<World['open']>, region: Region): Promise<void> {
  for (let at = 0; at < ITEMS; at++) {
    const Item = { pk: { S: 'k' }, sk: { S: `${region.name}-${at}` } }
    await db.send(new PutItemCommand({ TableName: 'log', Item }))
  }
}

async function countOf(db: ReturnType<World['open']>): Promise<number> {
  const query = new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: 'pk = :k',
    ExpressionAttributeValues: { ':k': { S: 'k' } },
  })
  return (await db.send(query)).Count ?? 0
}

it('two shard maps that replicate lose a count, so that items are hidden until a rebuild', () =>
  within(async ({ clock, east, west, open, replicate }) => {
    const [here, there] = [open(east, {}), open(west, {})]
    await puts(here, east)
    await clock.sleep(1_000)
    await replicate()
    // Within the lag of replication, both regions change the count of one key.
    await there.shards('log', 'k').set(9)
    await puts(there, west)
    await clock.sleep(1_000)
    await here.shards('log', 'k').set(2)
    await clock.sleep(1_000)
    await replicate()
    await clock.sleep(60_000)
    for (const region of [east, west]) {
      const { Item } = await region.client.send(
        new GetItemCommand({ TableName: 'log_shard_map', Key: { pk: { S: 'k' } }, ConsistentRead: true }),
      )
      expect(Item?.number_of_shards?.N).toBe('2')
      expect(await countOf(open(region, {}))).toBeLessThan(2 * ITEMS)
    }
    const options = { partitionKey: 'pk', sortKey: 'sk', suffix: 'random', shards: dynamicShards() } as const
    await rebuildShardMap(east.client, { table: 'log', options, clock })
    await replicate()
    await clock.sleep(60_000)
    for (const region of [east, west]) expect(await countOf(open(region, {}))).toBe(2 * ITEMS)
  }))

it('a table that becomes global later lowers no count any more', () =>
  within(async ({ clock, east, open }) => {
    const db = open(east, { shardMap: { client: east.client } })
    await puts(db, east)
    await db.shards('log', 'k').set(4)
    let isGlobal = false
    east.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const answer = await next(args)
          const { Table } = answer.output as { readonly Table?: object }
          if (commandName !== 'DescribeTableCommand' || !isGlobal) return answer
          const Replicas = [{ RegionName: 'eu-west-1' }]
          return {
            ...answer,
            output: { ...(answer.output as object), Table: { ...Table, Replicas } } as never,
          }
        },
      { step: 'initialize', name: 'replicas' },
    )
    isGlobal = true
    await clock.sleep(60_000)
    const unfit = { code: 'table.unfit', details: { setting: 'shards' } }
    await expect(db.shards('log', 'k').set(2)).rejects.toMatchObject(unfit)
    await expect(db.migrate('log', { initial: 2, keys: 'all' })).rejects.toMatchObject(unfit)
    await db.shards('log', 'k').set(8)
    expect(await countOf(db)).toBe(ITEMS)
  }))

it('one shard map for both regions keeps every count', () =>
  within(async ({ clock, east, west, open, replicate }) => {
    const shardMap = { client: east.client }
    const [here, there] = [open(east, { shardMap }), open(west, { shardMap })]
    await puts(here, east)
    await replicate()
    await there.shards('log', 'k').set(9)
    await puts(there, west)
    await here.shards('log', 'k').set(12)
    await puts(here, { ...east, name: 'east again' })
    await clock.sleep(1_000)
    await replicate()
    for (const region of [east, west]) expect(await countOf(open(region, { shardMap }))).toBe(3 * ITEMS)
  }))

it('a fixed count needs no shard map, in any region', () =>
  within(async ({ clock, east, west, open, replicate }) => {
    const options = { shards: fixedShards(6) }
    await puts(open(east, options), east)
    await puts(open(west, options), west)
    await clock.sleep(1_000)
    await replicate()
    for (const region of [east, west]) expect(await countOf(open(region, options))).toBe(2 * ITEMS)
  }))

it.each([
  ['is refused', {}, undefined, false],
  ['is accepted with one shard map for all regions', { shardMap: 'client' }, undefined, true],
  ['is accepted with strong consistency', {}, 'STRONG', true],
] as const)('a global table with dynamic counts %s', (_what, given, MultiRegionConsistency, isAccepted) =>
  within(async ({ east, open }) => {
    east.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const result = await next(args)
          if (commandName !== 'DescribeTableCommand') return result
          const { Table } = result.output as { readonly Table: object }
          Object.assign(Table, { Replicas: [{ RegionName: 'us-west-2' }], MultiRegionConsistency })
          return result
        },
      { step: 'initialize', name: 'replicas' },
    )
    const db = open(east, 'shardMap' in given ? { shardMap: { client: east.client } } : {})
    const put = puts(db, east)
    if (isAccepted) await put
    else {
      const refused = { code: 'table.unfit', message: expect.stringContaining('us-west-2') }
      await expect(put).rejects.toMatchObject({ ...refused, details: { setting: 'shardMap' } })
    }
  }),
)
