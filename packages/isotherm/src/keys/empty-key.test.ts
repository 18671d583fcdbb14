import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { fixedShards } from '../scaling/shards.js'

const KEY = { pk: { S: '' }, sk: { N: '1' } }

const COMMANDS = [
  (TableName: string) => new PutItemCommand({ TableName, Item: KEY }),
  (TableName: string) => new GetItemCommand({ TableName, Key: KEY }),
  (TableName: string) => new UpdateItemCommand({ TableName, Key: KEY }),
  (TableName: string) => new DeleteItemCommand({ TableName, Key: KEY }),
  (TableName: string) => new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [KEY] } } }),
  (TableName: string) =>
    new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: KEY } }] } }),
  (TableName: string) => new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName, Key: KEY } }] }),
  (TableName: string) =>
    new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: KEY } }] }),
]

describe('an empty logical key', () => {
  it.each(['random', 'calculated'] as const)(
    'is rejected as in an unsharded table (suffix: %s)',
    async (suffix) => {
      const engine = await shardedEngine({ suffix, shards: fixedShards(3) })
      await engine.clock.run(async () => {
        const db = engine.process()
        for (const command of COMMANDS) {
          const refusal = await engine.client.send(command('plain') as never).catch((error: Error) => error)
          expect(refusal).toMatchObject({ name: 'ValidationException' })
          const { name, message } = refusal as unknown as Error
          await expect(db.send(command('log') as never)).rejects.toMatchObject({ name, message })
        }
        expect(await scanned(engine.client, 'log')).toEqual([])
      })
      await engine.close()
    },
  )
})
