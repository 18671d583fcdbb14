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

const SORT_KEYS = Array.from({ length: 400 }, (_, sk) => sk)

/** Sort keys whose place moves from a shard of 2 to a shard of 3, or stays. */
const placed = (of2: number, of3: number) =>
  SORT_KEYS.filter((sk) => shardOf(sk, 2) === of2 && shardOf(sk, 3) === of3)

const [SORT_KEY] = placed(1, 3)

function shardOf(sortKey: number, shards: number): number {
  return jump(placeHash([{ N: String(sortKey) }]), shards) + 1
}

function processOf({ client, clock }: ShardedEngine) {
  const events: IsothermEvent[] = []
  const shards = dynamicShards({ quiet: false })
  const db = isotherm<DynamoDBClient>(client, {
    tables: {
      log: {
        partitionKey: 'pk',
        sortKey: 'sk',
        suffix: 'calculated',
        shards,
        cacheTtl: '2s',
        lateRequests: '1s',
      },
    },
    clock,
    random: new SeededRandom(1),
    onEvent: (event) => events.push(event),
  })
  return { db, events, shards: db.shards('log', 'k') }
}

const stored = (shard: number, text: string, sortKey = SORT_KEY): StoredItem => ({
  pk: { S: `k_${shard}` },
  sk: { N: String(sortKey) },
  text: { S: text },
})

async function storedCopies(client: DynamoDBClient): Promise<readonly string[]> {
  const items = await scanned(client, 'log')
  return items
    .map(({ pk, text, isotherm_moving: mark }) => `${pk?.S} ${text?.S}${mark ? ' moving' : ''}`)
    .sort()
}

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
      const { shards, events } = processOf({ ...engine, client: meddling })
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

describe('an item with two copies', () => {
  it.each([
    ['first', 1],
    ['last', 2],
  ])('keeps its change from ending, if it is in the %s shard that the pass reads', async (_where, source) => {
    const doubled = placed(source, 3)[0]
    // The last pass finds only the item with two copies, and those that stay, before it and after it.
    const staying = [1, 2].flatMap((shard) =>
      placed(shard, shard).map((sortKey) => stored(shard, 'stays', sortKey)),
    )
    const moving = placed(source, 3).map((sortKey) => stored(source, 'one', sortKey))
    const engine = await shardedEngine({ suffix: 'calculated', shards: dynamicShards() })
    const { client, clock } = engine
    const { shards, events } = processOf(engine)
    const put = (Item: StoredItem) => client.send(new PutItemCommand({ TableName: 'log', Item }))
    await clock.run(async () => {
      await shards.set(2)
      await shards.drain()
      for (const item of [...staying, ...moving]) await put(item)
      await put(stored(3, 'another', doubled))
      await shards.set(3)
      expect(await shards.drain()).toBe('two-copies')
      expect(await scanned(client, 'log')).toHaveLength(staying.length + moving.length + 1)
      // The change is still under way, so the shards of both copies are read.
      const state = (await scanned(client, 'log_shard_map')).find(({ phase }) => phase !== undefined)
      expect(state).toMatchObject({ phase: { S: 'moved' }, from_shards: { N: '2' }, to_shards: { N: '3' } })
      expect(await shards.drain({ twoCopies: 'discard' })).toBe('settled')
      expect(await scanned(client, 'log')).toHaveLength(staying.length + moving.length)
    })
    expect(events.some(({ type }) => type === 'two-copies')).toBe(true)
    await engine.close()
  })
})
