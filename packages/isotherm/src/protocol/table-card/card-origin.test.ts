import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { dynamicShards } from '../../scaling/shards.js'
import { whyLost } from './card-origin.js'
import { CARD_KEY } from './own-keys.js'

const shardMap = 'log_shard_map'
const put = (pk: string, sk = 1) =>
  new PutItemCommand({ TableName: 'log', Item: { pk: { S: pk }, sk: { N: String(sk) } } })

type Items = readonly Record<string, AttributeValue>[]

/** A process that has read the card while the key `k` was listed on it. */
async function within(work: (engine: ShardedEngine, before: Items) => Promise<void>) {
  const engine = await shardedEngine({ suffix: 'calculated', shards: dynamicShards() })
  await engine.clock.run(async () => {
    await engine.process().send(put('cold'))
    const before = await scanned(engine.client, shardMap)
    const shards = engine.process().shards('log', 'k')
    await shards.set(4)
    await shards.drain()
    await work(engine, before)
  })
  await engine.close()
}

/** Leaves these items in the shard map, and no others. */
async function restore({ client, clock }: ShardedEngine, items: Items): Promise<void> {
  for (const { pk } of await scanned(client, shardMap)) {
    await client.send(new DeleteItemCommand({ TableName: shardMap, Key: { pk: pk ?? { S: '' } } }))
  }
  for (const Item of items) await client.send(new PutItemCommand({ TableName: shardMap, Item }))
  // Beyond the lifetime of what processes have cached.
  await clock.sleep(30_000)
}

const cardOf = async ({ client }: ShardedEngine) =>
  (await scanned(client, shardMap)).find(({ pk }) => pk?.S === CARD_KEY)

describe('a process that has read the card', () => {
  it('makes no other where the shard map was emptied', () =>
    within(async (engine) => {
      const db = engine.process()
      await db.send(put('k'))
      await restore(engine, [])
      const lost = { code: 'card.lost', details: { table: 'log', shardMap, reason: 'missing' } }
      for (const key of ['k', 'cold']) await expect(db.send(put(key, 2))).rejects.toMatchObject(lost)
      expect(await scanned(engine.client, shardMap)).toEqual([])
    }))

  it('does not go by an earlier one, of a shard map that was restored', () =>
    within(async (engine, before) => {
      const db = engine.process()
      await db.send(put('k'))
      await restore(engine, before)
      await expect(db.send(put('k', 2))).rejects.toMatchObject({ details: { reason: 'older' } })
    }))

  it('does not go by one that another process has made meanwhile', () =>
    within(async (engine) => {
      const db = engine.process()
      await db.send(put('k'))
      await restore(engine, [])
      for (const { pk, sk } of await scanned(engine.client, 'log')) {
        const Key = { pk: pk ?? { S: '' }, sk: sk ?? { N: '' } }
        await engine.client.send(new DeleteItemCommand({ TableName: 'log', Key }))
      }
      await engine.process().send(put('other'))
      await expect(db.send(put('k', 2))).rejects.toMatchObject({ details: { reason: 'replaced' } })
    }))

  it('goes by a later one that a rebuild has made', () =>
    within(async (engine) => {
      const db = engine.process()
      await db.send(put('k'))
      const card = await cardOf(engine)
      const state = (await scanned(engine.client, shardMap)).filter(({ pk }) => pk?.S !== CARD_KEY)
      const made = { S: `${engine.clock.now()}:name` }
      await restore(engine, [{ ...card, made, rebuilt: { BOOL: true }, version: { N: '1' } }, ...state])
      await db.send(put('k', 2))
    }))

  it('makes another one where it was deleted and listed nothing', async () => {
    const engine = await shardedEngine({ suffix: 'calculated', shards: dynamicShards() })
    await engine.clock.run(async () => {
      const db = engine.process()
      await db.send(put('cold'))
      await restore(engine, [])
      await db.send(put('cold', 2))
      expect(await cardOf(engine)).toBeDefined()
    })
    await engine.close()
  })
})

describe('a card that lists no key', () => {
  const seen = { listed: new Set<string>(), version: 7, made: '1000:a' }

  it.each([
    ['as the options say', 0, undefined],
    ['after a migration', 1_800_000_000, 'missing'],
  ] as const)('may be made again if its initial state is %s', (_what, lastUpdated, reason) => {
    expect(whyLost({ ...seen, hasListed: false, initial: { lastUpdated } }, undefined)).toBe(reason)
  })
})

describe('a card', () => {
  const seen = { initial: { lastUpdated: 0 }, made: '1000:a', listed: new Set(['k']), version: 7 }

  it.each([
    ['is the same, with more keys', { ...seen, version: 9 }, undefined],
    ['has a lower version', { ...seen, version: 6 }, 'older'],
    ['is gone', undefined, 'missing'],
    ['was made later by a process', { ...seen, made: '2000:b' }, 'replaced'],
    ['was made later by a rebuild', { ...seen, made: '2000:b', isRebuilt: true, version: 1 }, undefined],
    ['was made by an earlier rebuild', { ...seen, made: '900:b', isRebuilt: true }, 'replaced'],
    ['has no origin', { ...seen, made: undefined }, 'replaced'],
  ])('that %s is followed or not', (_what, read, reason) => {
    expect(whyLost({ ...seen, hasListed: false }, read)).toBe(reason)
  })

  it.each([
    ['table_name', 'log_restored'],
    ['shard_map_name', 'log_shard_map_restored'],
  ])('with another %s is refused', (attribute, name) =>
    within(async (engine) => {
      await engine.client.send(
        new UpdateItemCommand({
          TableName: shardMap,
          Key: { pk: { S: CARD_KEY } },
          UpdateExpression: 'SET #name = :name',
          ExpressionAttributeNames: { '#name': attribute },
          ExpressionAttributeValues: { ':name': { S: name } },
        }),
      )
      const refused = { code: 'card.foreign', message: expect.stringContaining(name) }
      await expect(engine.process().send(put('k', 2))).rejects.toMatchObject(refused)
    }),
  )
})
