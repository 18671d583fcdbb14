import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import { dynamicShards } from './shards.js'

const SHARDS = dynamicShards({ quiet: false })
const LOG = { suffix: 'random', shards: SHARDS, cacheTtl: '2s', lateRequests: '1s' } as const
const KEY = { pk: { S: 'k' }, sk: { N: '1' } }
const FOURTH = { ...KEY, pk: { S: 'k_4' } }
const query = new QueryCommand({
  TableName: 'log',
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: 'k' } },
  ConsistentRead: true,
})

/** A process that sends each request through `send`. */
function processThrough({ client, clock }: ShardedEngine, send: (command: AnyCommand) => Promise<unknown>) {
  return isotherm<DynamoDBClient>(Object.create(client, { send: { value: send } }), {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...LOG } },
    clock,
    random: new SeededRandom(1),
  })
}

/** Leaves a marked item in the fourth of five shards. Its process should move it below the third, but crashed before. */
async function leaveMark(engine: ShardedEngine): Promise<void> {
  const dying = processThrough(engine, async (command) => {
    if (command instanceof TransactWriteItemsCommand) throw new Error('The process has ended.')
    return engine.client.send(command as never)
  })
  await dying.shards('log', 'k').set(5)
  await engine.client.send(new PutItemCommand({ TableName: 'log', Item: FOURTH }))
  await dying.shards('log', 'k').set(2)
  await engine.clock.sleep(5_000)
  dying.destroy()
  const [marked] = await scanned(engine.client, 'log')
  expect(marked).toMatchObject({ ...FOURTH, isotherm_moving: { S: expect.any(String) } })
}

const places = async ({ client }: ShardedEngine) =>
  (await scanned(client, 'log')).map(({ pk }) => pk?.S).sort()

describe('an item that was marked and left, in a shard that is in use again', () => {
  it('is read while somebody moves it, after however many changes', async () => {
    const engine = await shardedEngine(LOG)
    const writer = engine.process()
    let isMet = false
    const reader = processThrough(engine, async (command) => {
      if (command instanceof QueryCommand && JSON.stringify(command.input).includes('"k_4"') && !isMet) {
        isMet = true
        // Finds the mark, and completes the move.
        await writer.send(
          new UpdateItemCommand({ TableName: 'log', Key: KEY, UpdateExpression: 'REMOVE nothing' }),
        )
      }
      return engine.client.send(command as never)
    })
    await engine.clock.run(async () => {
      await leaveMark(engine)
      for (let count = 5; count < 30; count++) await reader.shards('log', 'k').set(count)
      expect(await places(engine)).toEqual(['k_4'])
      expect((await reader.send(query)).Items).toEqual([KEY])
      expect(isMet).toBe(true)
      expect(await places(engine)).not.toEqual(['k_4'])
    })
    await engine.close()
  })

  it('is moved before that is forgotten, and what is not marked stays', async () => {
    const engine = await shardedEngine(LOG)
    const db = processThrough(engine, (command) => engine.client.send(command as never))
    const shards = db.shards('log', 'k')
    await engine.clock.run(async () => {
      await leaveMark(engine)
      await shards.set(8)
      await shards.set(4)
      for (const shard of [3, 4, 7]) {
        const Item = { pk: { S: `k_${shard}` }, sk: { N: String(shard) } }
        await engine.client.send(new PutItemCommand({ TableName: 'log', Item }))
      }
      expect(await shards.drain()).toBe('settled')
      const stored = await scanned(engine.client, 'log')
      const shardOf = (sk: string) => Number(stored.find((item) => item.sk?.N === sk)?.pk?.S?.slice(2))
      expect(stored.filter((item) => 'isotherm_moving' in item)).toEqual([])
      expect([shardOf('3'), shardOf('4')]).toEqual([3, 4])
      expect(shardOf('1')).toBeLessThanOrEqual(2)
      expect(shardOf('7')).toBeLessThanOrEqual(4)
      expect((await db.send(query)).Items).toHaveLength(4)
    })
    await engine.close()
  })

  it('is not begun to be moved again where another one has taken its place meanwhile', async () => {
    const engine = await shardedEngine(LOG)
    const writer = engine.process()
    let isReplaced = false
    const driver = processThrough(engine, async (command) => {
      const output = await engine.client.send(command as never)
      if (command instanceof QueryCommand && JSON.stringify(command.input).includes('"k_4"') && !isReplaced) {
        isReplaced = true
        await writer.send(new DeleteItemCommand({ TableName: 'log', Key: KEY }))
        await engine.client.send(new PutItemCommand({ TableName: 'log', Item: FOURTH }))
      }
      return output
    })
    await engine.clock.run(async () => {
      await leaveMark(engine)
      await driver.shards('log', 'k').set(5)
      expect(await driver.shards('log', 'k').drain()).toBe('settled')
      expect(isReplaced).toBe(true)
      expect(await scanned(engine.client, 'log')).toEqual([FOURTH])
    })
    await engine.close()
  })
})
