import { PutItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, type StoredItem, shardedEngine } from '../../test/sharded-engine.js'
import { jump } from '../protocol/placement/jump.js'
import { placeHash } from '../protocol/placement/place-hash.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

const SORTS = Array.from({ length: 30 }, (_, sort) => sort)
const [FROM, TO] = [2, 5]

const placeOf = (sort: number, shards: number) => jump(placeHash([{ N: String(sort) }]), shards) + 1

const keyOf = (pk: string, sort: number): StoredItem => ({ pk: { S: pk }, sk: { N: String(sort) } })

/**
 * A calculated key whose items are being moved, and an index by `at` that is either sharded itself or has the table's
 * key.
 */
function engineWith(index: 'by_status' | 'by_time'): Promise<ShardedEngine> {
  const hash = index === 'by_status' ? 'isotherm_by_status' : 'pk'
  const indexes =
    index === 'by_status'
      ? { by_status: { partitionKey: 'status', sortKey: 'at', shards: fixedShards(2) } }
      : { by_time: { sortKey: 'at' } }
  return shardedEngine(
    { suffix: 'calculated', shards: dynamicShards(), indexes },
    { global: { [index]: [hash, 'at:N'] } },
  )
}

/** Performs the requests of a process that drains a shard. The update completes the move. */
async function move(engine: ShardedEngine, sort: number): Promise<void> {
  const [source, target] = [placeOf(sort, FROM), placeOf(sort, TO)]
  if (source === target) return
  await engine.client.send(
    new UpdateItemCommand({
      TableName: 'log',
      Key: keyOf(`k_${source}`, sort),
      UpdateExpression: 'SET isotherm_moving = :name',
      ExpressionAttributeValues: { ':name': { S: `${target}:1` } },
    }),
  )
  const Key = keyOf('k', sort)
  await engine
    .process()
    .send(new UpdateItemCommand({ TableName: 'log', Key, UpdateExpression: 'REMOVE no_such' }))
}

describe('pages of an index return each item once, even if the last one of a page is moved before the next page', () => {
  it.each([
    ['by_status', '#key = :key', 'status', 'open'],
    ['by_time', '#key = :key', 'pk', 'k'],
  ] as const)('%s', async (IndexName, KeyConditionExpression, attribute, value) => {
    const engine = await engineWith(IndexName)
    await engine.clock.run(async () => {
      await engine.setState({
        shards: FROM,
        lastUpdated: 10,
        history: [`10:${FROM}`],
      })
      for (const sort of SORTS) {
        const Item = { ...keyOf('k', sort), at: { N: String(100 + sort) }, status: { S: 'open' } }
        await engine.process().send(new PutItemCommand({ TableName: 'log', Item }))
      }
      const change = { phase: 'moved', from: FROM, to: TO } as const
      await engine.setState({ shards: TO, lastUpdated: 12, history: [`10:${FROM}`, `11:${TO}`], ...change })
      const db = engine.process()
      const seen: number[] = []
      let start = {}
      for (;;) {
        const { Items = [], LastEvaluatedKey } = await db.send(
          new QueryCommand({
            TableName: 'log',
            IndexName,
            KeyConditionExpression,
            ExpressionAttributeNames: { '#key': attribute },
            ExpressionAttributeValues: { ':key': { S: value } },
            Limit: 1,
            ...start,
          }),
        )
        seen.push(...Items.map(({ sk }) => Number(sk?.N)))
        if (LastEvaluatedKey === undefined) break
        start = { ExclusiveStartKey: LastEvaluatedKey }
        await move(engine, Number(LastEvaluatedKey.sk?.N))
      }
      expect(seen).toEqual(SORTS)
    })
    await engine.close()
  })
})

it('A cursor outlives two migrations in a process that has the initial count of before them.', async () => {
  const engine = await shardedEngine({
    suffix: 'random',
    shards: dynamicShards({ initial: 2, quiet: false }),
  })
  await engine.clock.run(async () => {
    const db = engine.process()
    await db.migrate('log', { initial: 8 })
    for (const sort of SORTS) await db.send(new PutItemCommand({ TableName: 'log', Item: keyOf('k', sort) }))
    const page = (start: StoredItem | undefined) =>
      db.send(
        new QueryCommand({
          TableName: 'log',
          KeyConditionExpression: 'pk = :k',
          ExpressionAttributeValues: { ':k': { S: 'k' } },
          ...(start === undefined ? { Limit: 1 } : { ExclusiveStartKey: start }),
        }),
      )
    // As a page ends that has its last item from the last shard.
    const { Items: first = [] } = await page(undefined)
    const start = { pk: { S: 'k_8' }, sk: { N: '0' } }
    await db.migrate('log', { initial: 4 })
    const { Items: rest = [] } = await page(start)
    expect([...first, ...rest].map(({ sk }) => Number(sk?.N))).toEqual(SORTS)
    db.destroy()
  })
  await engine.close()
})
