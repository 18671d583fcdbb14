import { type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { itemBytes, MAX_ITEM_BYTES } from '@isotherm/semantics'
import { afterEach, describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermEvent } from '../events/event.js'
import { dynamicShards } from './shards.js'

const OPTIONS = {
  suffix: 'calculated',
  shards: dynamicShards({ initial: 1, quiet: false }),
  cacheTtl: '10s',
} as const
const MINUTE = 60_000
const LARGE = 7
const ITEMS = 30

let engine: ShardedEngine
afterEach(() => engine.close())

/** A key with many items in its first shard. One of them has no room for the mark of a move. */
async function begin() {
  engine = await shardedEngine(OPTIONS)
  const events: IsothermEvent[] = []
  const db = isotherm<DynamoDBClient>(engine.client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...OPTIONS } },
    clock: engine.clock,
    random: new SeededRandom(1),
    onEvent: (event) => events.push(event),
  })
  const key = (sk: number) => ({ pk: { S: 'k' }, sk: { N: String(sk) } })
  const put = async (sk: number, text = '') => {
    await db.send(new PutItemCommand({ TableName: 'log', Item: { ...key(sk), text: { S: text } } }))
  }
  const shorten = async () => {
    await db.send(
      new UpdateItemCommand({
        TableName: 'log',
        Key: key(LARGE),
        UpdateExpression: 'REMOVE #t',
        ExpressionAttributeNames: { '#t': 'text' },
      }),
    )
  }
  const room = MAX_ITEM_BYTES - 10 - itemBytes({ pk: { S: 'k_1' }, sk: { N: '7' }, text: { S: '' } })
  return {
    db,
    shards: db.shards('log', 'k'),
    put,
    shorten,
    putAll: async () => {
      for (let sk = 0; sk < ITEMS; sk++) await put(sk, sk === LARGE ? 'x'.repeat(room) : '')
    },
    inFirstShard: async () =>
      (await scanned(engine.client, 'log')).filter(({ pk }) => pk?.S === 'k_1').length,
    failures: () => events.filter(({ type }) => type === 'failed'),
  }
}

describe('an item without room for a move', () => {
  it('is named, holds up no other item, and moves once it is smaller', async () => {
    const { db, shards, shorten, putAll, inFirstShard } = await begin()
    await engine.clock.run(async () => {
      await putAll()
      await shards.set(8)
      await expect(shards.drain()).rejects.toMatchObject({
        code: 'move.no-room',
        details: { table: 'log', logicalKey: 'k', sortKey: { N: '7' }, source: 1, reason: 'item' },
      })
      expect((await shards.read())?.phase).toBe('draining')
      const left = await inFirstShard()
      expect(left).toBeLessThan(ITEMS / 2)
      // It can be written, because it has no mark.
      await shorten()
      expect(await shards.drain()).toBe('settled')
      expect(await inFirstShard()).toBe(left - 1)
    })
    db.destroy()
  })

  it('is reported once an hour', async () => {
    const { db, shards, put, putAll, failures } = await begin()
    await engine.clock.run(async () => {
      await putAll()
      await shards.set(8)
      const use = async (minutes: number) => {
        for (let each = 0; each < minutes; each++) {
          await put(1_000)
          await engine.clock.sleep(MINUTE)
        }
      }
      await use(50)
      expect(failures()).toEqual([
        expect.objectContaining({
          task: 'change-count',
          error: expect.objectContaining({ code: 'move.no-room' }),
        }),
      ])
      await use(20)
      expect(failures()).toHaveLength(2)
    })
    db.destroy()
  })
})
