import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, inject, it } from 'vitest'
import { changeCount } from '../../test/count-change-driver.js'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

/** Half of them grow, and half of them shrink. */
const RUNS = inject('trials') === 'many' ? 6 : 2
const SORTS = 6
const PROCESSES = 4
/** Longer than a complete change. */
const RUN_MILLISECONDS = 100_000

const keyOf = (sort: number) => ({ pk: { S: 'k' }, sk: { N: String(sort) } })

async function changing(
  seed: number,
  work: (engine: ShardedEngine, until: number) => Promise<void>,
): Promise<void> {
  const [from, to] = seed % 2 === 0 ? [2, 5] : [5, 2]
  const engine = await shardedEngine(
    { suffix: 'calculated', shards: dynamicShards({ initial: from }) },
    { seed, latencyMilliseconds: 40 },
  )
  await engine.clock.run(async () => {
    await Promise.all([changeCount(engine, from, to), work(engine, engine.clock.now() + RUN_MILLISECONDS)])
    const stored = await scanned(engine.client, 'log')
    const sorts = stored.map(({ sk }) => sk?.N)
    expect(sorts.length).toBe(new Set(sorts).size)
    expect(stored.filter((item) => 'isotherm_moving' in item)).toEqual([])
  })
  await engine.close()
}

async function outcome(answer: Promise<object>): Promise<unknown> {
  try {
    const { $metadata, ...shown } = (await answer) as { $metadata: object }
    return shown
  } catch (error) {
    return { name: (error as Error).name, message: (error as Error).message }
  }
}

const isRefused = (error: Error) => {
  if (error.name === 'ConditionalCheckFailedException') return false
  throw error
}

describe('while the count of a calculated key changes', () => {
  it('one process sees the same as in an unsharded table', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      await changing(seed, async ({ clock, client, random, process }, until) => {
        const db = process()
        const draw = (below: number) => Math.floor(random.next() * below)
        while (clock.now() < until) {
          const Key = keyOf(draw(SORTS))
          const Item = { ...Key, v: { N: String(draw(3)) } }
          const commands = [
            (TableName: string) => new PutItemCommand({ TableName, Item, ReturnValues: 'ALL_OLD' }),
            (TableName: string) => new DeleteItemCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }),
            (TableName: string) => new GetItemCommand({ TableName, Key, ConsistentRead: true }),
            (TableName: string) =>
              new UpdateItemCommand({
                TableName,
                Key,
                UpdateExpression: 'ADD n :one',
                ConditionExpression: 'v <> :two',
                ExpressionAttributeValues: { ':one': { N: '1' }, ':two': { N: '2' } },
                ReturnValues: 'ALL_NEW',
              }),
          ]
          const command = commands[draw(commands.length)] ?? commands[0]
          if (command === undefined) throw new Error('No command was drawn.')
          const send = (to: DynamoDBClient, table: string) => outcome(to.send(command(table) as never))
          const [expected, actual] = [await send(client, 'plain'), await send(db, 'log')]
          expect({ seed, at: clock.now(), actual }).toEqual({ seed, at: clock.now(), actual: expected })
          await clock.sleep(random.next() * 900)
        }
      })
    }
  }, 120_000)

  it('no update is lost, and of many processes that create an item exactly one succeeds', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      await changing(seed, async ({ clock, client, random, process }, until) => {
        const counts = new Map<number, number>()
        const winners = new Map<number, number>()
        const round = () => Math.floor(clock.now() / 1_000)
        const worker = async () => {
          const db = process()
          while (clock.now() < until) {
            const counter = Math.floor(random.next() * SORTS)
            await db.send(
              new UpdateItemCommand({
                TableName: 'log',
                Key: keyOf(counter),
                UpdateExpression: 'ADD n :one',
                ExpressionAttributeValues: { ':one': { N: '1' } },
              }),
            )
            counts.set(counter, (counts.get(counter) ?? 0) + 1)
            const contested = SORTS + round()
            const Item = keyOf(contested)
            const ConditionExpression = 'attribute_not_exists(pk)'
            const won = await db
              .send(new PutItemCommand({ TableName: 'log', Item, ConditionExpression }))
              .then(() => true, isRefused)
            if (won) winners.set(contested, (winners.get(contested) ?? 0) + 1)
            await clock.sleep(random.next() * 1_500)
          }
        }
        await Promise.all(Array.from({ length: PROCESSES }, worker))
        expect([...winners.values()].every((count) => count === 1)).toBe(true)
        expect(winners.size).toBeGreaterThan(50)
        const db = process()
        for (const [counter, count] of counts) {
          const { Item } = await db.send(
            new GetItemCommand({ TableName: 'log', Key: keyOf(counter), ConsistentRead: true }),
          )
          expect({ seed, counter, n: Item?.n }).toEqual({ seed, counter, n: { N: String(count) } })
        }
        const stored = await scanned(client, 'log')
        expect(stored).toHaveLength(counts.size + winners.size)
      })
    }
  }, 120_000)
})
