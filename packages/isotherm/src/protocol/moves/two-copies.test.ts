import {
  type DynamoDBClient,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, type StoredItem, scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { isotherm } from '../../client/isotherm.js'
import type { IsothermEvent } from '../../events/event.js'
import { dynamicShards } from '../../scaling/shards.js'
import { jump } from '../placement/jump.js'
import { placeHash } from '../placement/place-hash.js'

/** A sort key whose place moves from shard 1 of 2 to shard 3 of 3. */
const SORT_KEY = Array.from({ length: 1_000 }, (_, sk) => sk).find((sk) => {
  const hash = placeHash([{ N: String(sk) }])
  return jump(hash, 2) === 0 && jump(hash, 3) === 2
})

function processOf({ client, clock }: ShardedEngine, suffix: 'random' | 'calculated', more: object = {}) {
  const events: IsothermEvent[] = []
  const shards = dynamicShards({ quiet: false })
  const db = isotherm<DynamoDBClient>(client, {
    tables: {
      log: { partitionKey: 'pk', sortKey: 'sk', suffix, shards, cacheTtl: '2s', lateRequests: '1s', ...more },
    },
    clock,
    random: new SeededRandom(1),
    onEvent: (event) => events.push(event),
  })
  return { db, events, shards: db.shards('log', 'k') }
}

/** A sort key whose place is shard 2 of 2. */
const SECOND = Array.from({ length: 1_000 }, (_, sk) => sk).find(
  (sk) => jump(placeHash([{ N: String(sk) }]), 2) === 1,
)

const stored = (shard: number, text: string, marks: StoredItem = {}): StoredItem => ({
  pk: { S: `k_${shard}` },
  sk: { N: String(SORT_KEY) },
  text: { S: text },
  ...marks,
})

async function storedCopies(client: DynamoDBClient): Promise<readonly string[]> {
  const items = await scanned(client, 'log')
  return items
    .map(({ pk, text, isotherm_moving: mark }) => `${pk?.S} ${text?.S}${mark ? ' moving' : ''}`)
    .sort()
}

/** A change from 2 to 3 shards in which a request that arrived far too late has left a copy at the source. */
async function lateCopy(
  source: StoredItem,
  target: StoredItem,
  work: (set: ReturnType<typeof processOf>, engine: ShardedEngine) => Promise<void>,
) {
  const engine = await shardedEngine({ suffix: 'calculated', shards: dynamicShards() })
  const process = processOf(engine, 'calculated')
  await engine.clock.run(async () => {
    await process.shards.set(2)
    await process.shards.drain()
    await process.shards.set(3)
    await engine.clock.sleep(4_000)
    for (const Item of [source, target]) {
      await engine.client.send(new PutItemCommand({ TableName: 'log', Item }))
    }
    await work(process, engine)
  })
  await engine.close()
}

describe('an item that is found at its old place and at its new one', () => {
  it('is kept twice, told of, and the change does not settle until people say so', async () => {
    await lateCopy(stored(1, 'late'), stored(3, 'new'), async ({ shards, events }, { client }) => {
      expect(await shards.drain()).toBe('two-copies')
      expect(await storedCopies(client)).toEqual(['k_1 late moving', 'k_3 new'])
      expect(events.filter(({ type }) => type === 'two-copies')).toMatchObject([
        { logicalKey: 'k', sortKey: { N: String(SORT_KEY) }, source: 1, target: 3, sourceCopy: 'kept' },
      ])
      expect(await shards.read()).toMatchObject({ phase: 'moved', from: 2, to: 3 })
      await expect(shards.set(4)).rejects.toMatchObject({ code: 'shards.changing' })
      expect(await shards.drain({ twoCopies: 'discard' })).toBe('settled')
      expect(await storedCopies(client)).toEqual(['k_3 new'])
      expect(await shards.read()).toMatchObject({ phase: 'settled', shards: 3 })
    })
  })

  it('is one item where both are equal, whatever marks they have', async () => {
    const marks = { isotherm_moving: { S: '3:7' } }
    await lateCopy(stored(1, 'same', marks), stored(3, 'same'), async ({ shards, events }, { client }) => {
      expect(await shards.drain()).toBe('settled')
      expect(await storedCopies(client)).toEqual(['k_3 same'])
      expect(events.some(({ type }) => type === 'two-copies')).toBe(false)
    })
  })
})

describe('an item that another process has moved and written to meanwhile', () => {
  it.each([{}, { twoCopies: 'discard' }] as const)(
    'is one item, also where the cancellation tells of a conflict at the place that it left: drain(%j)',
    async (options) => {
      const engine = await shardedEngine({ suffix: 'calculated', shards: dynamicShards() })
      const { client, clock } = engine
      let meddled = 0
      const send = async (command: unknown, options?: unknown) => {
        const output = await client.send(command as never, options as never)
        const isMove =
          command instanceof TransactWriteItemsCommand && command.input.TransactItems?.[1]?.Delete
        if (!isMove) return output
        meddled += 1
        await client.send(new PutItemCommand({ TableName: 'log', Item: stored(3, 'written since') }))
        const CancellationReasons = [{ Code: 'ConditionalCheckFailed' }, { Code: 'TransactionConflict' }]
        throw new TransactionCanceledException({ message: 'Cancelled.', $metadata: {}, CancellationReasons })
      }
      const meddling: DynamoDBClient = Object.create(client, { send: { value: send } })
      const { shards, events } = processOf({ ...engine, client: meddling }, 'calculated')
      await clock.run(async () => {
        await shards.set(2)
        await shards.drain()
        await client.send(new PutItemCommand({ TableName: 'log', Item: stored(1, 'before') }))
        await shards.set(3)
        expect(await shards.drain(options)).toBe('settled')
        expect(await storedCopies(client)).toEqual(['k_3 written since'])
      })
      expect(meddled).toBe(1)
      expect(events.some(({ type }) => type === 'two-copies')).toBe(false)
      await engine.close()
    },
  )
})

describe('a random key with two items of one sort key', () => {
  it('keeps both when one of them has to leave', async () => {
    const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards() })
    const { shards, events } = processOf(engine, 'random')
    const { clock, client } = engine
    await clock.run(async () => {
      await shards.set(4)
      for (const shard of [1, 4]) {
        await client.send(new PutItemCommand({ TableName: 'log', Item: stored(shard, `text ${shard}`) }))
      }
      await shards.set(2)
      expect(await shards.drain()).toBe('settled')
      const kept = await scanned(client, 'log')
      expect(kept.map(({ text }) => text?.S).sort()).toEqual(['text 1', 'text 4'])
    })
    expect(events.some(({ type }) => type === 'two-copies')).toBe(false)
    await engine.close()
  })

  it('takes the one that has to leave below the count that was lowered, also when the key has grown again', async () => {
    const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards() })
    const { clock, client } = engine
    const other = processOf(engine, 'random')
    let hasGrown = false
    const send = async (command: unknown, options?: unknown) => {
      if (command instanceof TransactWriteItemsCommand && !hasGrown) {
        hasGrown = true
        await other.shards.set(8)
        await clock.sleep(3_000)
      }
      return client.send(command as never, options as never)
    }
    const slow: DynamoDBClient = Object.create(client, { send: { value: send } })
    const { shards } = processOf({ ...engine, client: slow }, 'random')
    const sk = { N: String(SECOND) }
    await clock.run(async () => {
      await shards.set(8)
      for (const shard of [2, 8]) {
        const Item = stored(shard, `text ${shard}`, { sk })
        await client.send(new PutItemCommand({ TableName: 'log', Item }))
      }
      await shards.set(2)
      await shards.drain()
      // A query reads the shards above the lowered count first. It reads the shards of one stage in any order.
      expect(await storedCopies(client)).toEqual(['k_1 text 8', 'k_2 text 2'])
    })
    expect(hasGrown).toBe(true)
    await engine.close()
  })
})

describe('a move without transactions that another process has half finished', () => {
  // Processes of the previous version recorded only the last origin.
  it.each(['3,5:1:9', '3:1:9'])('ends with one copy, where that process marked its own %s', async (copy) => {
    const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards() })
    const { shards } = processOf(engine, 'random', { transactions: false })
    const { clock, client } = engine
    await clock.run(async () => {
      await shards.set(3)
      const marked = { isotherm_moved: { S: '5:3:7' }, isotherm_moving: { S: '1:9' } }
      const updated = stored(1, 'updated since', { isotherm_moved: { S: copy } })
      for (const Item of [stored(3, 'before', marked), updated]) {
        await client.send(new PutItemCommand({ TableName: 'log', Item }))
      }
      await shards.set(2)
      expect(await shards.drain()).toBe('settled')
      expect(await storedCopies(client)).toEqual(['k_1 updated since'])
    })
    await engine.close()
  })
})

describe('a mark that no move has set', () => {
  it('is told of by name', async () => {
    const marks = { isotherm_moving: { S: 'mine' } }
    await lateCopy(stored(1, 'odd', marks), stored(2, 'other'), async ({ shards }) => {
      await expect(shards.drain()).rejects.toMatchObject({ code: 'move.malformed' })
    })
  })
})
