import {
  CreateTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import type { Local } from '@isotherm/local'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { dynamicShards, ensureShardMap, isotherm } from '../../index.js'
import { type Queue, queue, queueTable } from './index.js'

const options = { table: 'jobs', partitionKey: 'id', shards: 1, timeout: '60s', lease: '60s' } as const

/** A write that shows how often it was carried out. */
const applied: TransactWriteItem = {
  Update: {
    TableName: 'ledger',
    Key: { entry: { S: 'all' } },
    UpdateExpression: 'ADD applied :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  },
}

/** The queue's table, with the key of the index that the library writes instead of the queue's own. */
function shardedTable(): CreateTableCommand {
  const { GlobalSecondaryIndexes, AttributeDefinitions, ...table } = queueTable(options)
  return new CreateTableCommand({
    ...table,
    AttributeDefinitions: AttributeDefinitions?.map((each) =>
      each.AttributeName === 'pending' ? { ...each, AttributeName: 'isotherm_pending' } : each,
    ),
    GlobalSecondaryIndexes: GlobalSecondaryIndexes?.map((index) => ({
      ...index,
      KeySchema: index.KeySchema?.map((each) =>
        each.AttributeName === 'pending' ? { ...each, AttributeName: 'isotherm_pending' } : each,
      ),
    })),
  })
}

/** A client that loses the answer of every third transaction, and sends nothing again by itself. */
function losesAnswers(local: Local, onLost: () => Promise<void>): DynamoDBClient {
  const client = local.client({ maxAttempts: 1 })
  let transactions = 0
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const output = await next(args)
      if (context.commandName === 'TransactWriteItemsCommand') {
        transactions += 1
        if (transactions % 3 === 1) {
          await onLost()
          throw Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })
        }
      }
      return output
    },
    { step: 'finalizeRequest', name: 'losesAnswers' },
  )
  return client
}

describe('a queue whose index the library shards', () => {
  it('does each operation once, although answers are lost and another attempt has another shard', async () => {
    const tables = [shardedTable(), createTable('ledger', ['entry'])]
    const { clock, client, local } = await patternEngine(tables, { throttle: false })
    await clock.run(async () => {
      await ensureShardMap(client, { table: 'jobs', clock })
      const indexes = { pending: { partitionKey: 'pending', sortKey: 'due', shards: dynamicShards() } }
      const settings = { tables: { jobs: { partitionKey: 'id', indexes } }, clock }
      const operator = isotherm(client, { ...settings, random: new SeededRandom(1) })
      const counts = operator.shards('jobs', 'queue#1', { index: 'pending' })
      let shards = 1
      const grow = async () => {
        shards += 1
        await counts.set(shards)
        await clock.sleep(10_000)
      }
      const db = isotherm(losesAnswers(local, grow), { ...settings, random: new SeededRandom(2) })
      const jobs: Queue<number> = queue(db, { ...options, clock, random: new SeededRandom(3) })
      await jobs.enqueue(0, { key: 'first' })
      for (const entity of ['a', 'b', 'c', 'd']) {
        for (let n = 0; n < 4; n++) await jobs.enqueue(n, { entity, key: `${entity}-${n}` })
      }
      await jobs.work(async () => [applied], { untilEmpty: true })
      expect(shards).toBeGreaterThan(10)
      const sum = await client.send(new GetItemCommand({ TableName: 'ledger', Key: { entry: { S: 'all' } } }))
      expect(sum.Item?.applied?.N).toBe('17')
      expect(await jobs.stats()).toMatchObject({ due: 0, later: 0, dead: 0 })
    })
  })
})
