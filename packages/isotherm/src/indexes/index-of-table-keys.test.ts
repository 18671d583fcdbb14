import {
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

const RETIRED = 3

/** A key that had three shards, whose items are still there, and an index with only the table's keys. */
async function retired(sorts: readonly number[]): Promise<ShardedEngine> {
  const engine = await shardedEngine(
    { suffix: 'random', shards: dynamicShards() },
    { global: { keys: { key: ['pk', 'sk'], projected: 'KEYS_ONLY' } } },
  )
  await engine.setState({ shards: 1, lastUpdated: 11, history: [`10:${RETIRED}`, '11:1'] })
  for (const sort of sorts) {
    const Item = { pk: { S: `k_${RETIRED}` }, sk: { N: String(sort) }, colour: { S: 'red' } }
    await engine.client.send(new PutItemCommand({ TableName: 'log', Item }))
  }
  return engine
}

const query = (more: Partial<QueryCommandInput> = {}) =>
  new QueryCommand({
    TableName: 'log',
    IndexName: 'keys',
    KeyConditionExpression: 'pk = :pk AND sk > :none',
    ExpressionAttributeValues: { ':pk': { S: 'k' }, ':none': { N: '0' } },
    ...more,
  })

async function move({ client, process }: ShardedEngine, sort: number): Promise<void> {
  const UpdateExpression = 'SET isotherm_moving = :name'
  const ExpressionAttributeValues = { ':name': { S: '1:1' } }
  const Key = { pk: { S: `k_${RETIRED}` }, sk: { N: String(sort) } }
  await client.send(
    new UpdateItemCommand({ TableName: 'log', Key, UpdateExpression, ExpressionAttributeValues }),
  )
  // An update of the item completes the move.
  const logical = { ...Key, pk: { S: 'k' } }
  await process().send(
    new UpdateItemCommand({ TableName: 'log', Key: logical, UpdateExpression: 'REMOVE no_such' }),
  )
}

describe("an index that has only the table's keys", () => {
  it.each([{ Select: 'COUNT' }, { ProjectionExpression: 'sk' }, {}] as const)(
    'is queried for no other attributes, with %j',
    async (more) => {
      const engine = await retired([1, 2, 3])
      await engine.clock.run(async () => {
        const { Count, Items } = await engine.process().send(query(more))
        expect(Count).toBe(3)
        if (!('Select' in more)) expect(Items?.map(({ sk }) => sk?.N)).toEqual(['1', '2', '3'])
      })
      await engine.close()
    },
  )

  it('returns an item once that is moved while a page is read', async () => {
    const engine = await retired([1])
    let isMoved = false
    engine.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const output = await next(args)
          if (commandName === 'QueryCommand' && !isMoved) {
            isMoved = true
            await move(engine, 1)
          }
          return output
        },
      { step: 'initialize' },
    )
    await engine.clock.run(async () => {
      const { Items } = await engine.process().send(query())
      expect(isMoved).toBe(true)
      expect(Items).toEqual([{ pk: { S: 'k' }, sk: { N: '1' } }])
    })
    await engine.close()
  })

  it('returns each item once, even if the last one of a page is moved before the next page', async () => {
    const engine = await retired([1, 2, 3])
    await engine.clock.run(async () => {
      const seen: (string | undefined)[] = []
      let start: Partial<QueryCommandInput> | undefined = {}
      while (start !== undefined) {
        const page: QueryCommandOutput = await engine.process().send(query({ Limit: 1, ...start }))
        const { Items = [], LastEvaluatedKey } = page
        seen.push(...Items.map(({ sk }) => sk?.N))
        if (LastEvaluatedKey !== undefined) await move(engine, Number(LastEvaluatedKey.sk?.N))
        start = LastEvaluatedKey && { ExclusiveStartKey: LastEvaluatedKey }
      }
      expect(seen).toEqual(['1', '2', '3'])
    })
    await engine.close()
  })
})
