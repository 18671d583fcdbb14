import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { fixedShards } from '../scaling/shards.js'
import { keyValueOf } from './item-key.js'

const TableName = 'log'

async function within(suffix: 'random' | 'calculated', work: (engine: ShardedEngine) => Promise<void>) {
  const engine = await shardedEngine({ suffix, shards: fixedShards(3) })
  await engine.clock.run(() => work(engine))
  await engine.close()
}

/** With the value as partition key. */
const commands = (pk: unknown, sk: object = { N: '1' }) => {
  const Key = { pk: pk as AttributeValue, sk: sk as AttributeValue }
  return {
    put: new PutItemCommand({ TableName, Item: Key }),
    get: new GetItemCommand({ TableName, Key }),
    update: new UpdateItemCommand({ TableName, Key }),
    query: new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :k',
      ExpressionAttributeValues: { ':k': Key.pk },
    }),
    batchGet: new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [Key] } } }),
    batchWrite: new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: Key } }] } }),
    transactGet: new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName, Key } }] }),
  }
}

describe.each(['random', 'calculated'] as const)('a key of a table with a %s suffix', (suffix) => {
  it.each([
    { S: 'a', B: undefined },
    { N: undefined, S: 'a' },
  ])('may have members that are undefined, as in the SDK: %o', (pk) =>
    within(suffix, async ({ process }) => {
      const db = process()
      const { put, get, query, batchGet } = commands(pk, { S: undefined, N: '1', B: undefined })
      await db.send(put)
      const stored = { pk: { S: 'a' }, sk: { N: '1' } }
      expect((await db.send(get)).Item).toEqual(stored)
      expect((await db.send(query)).Items).toEqual([stored])
      expect((await db.send(batchGet)).Responses).toEqual({ log: [stored] })
    }),
  )

  it.each([
    [5, 'key.type'],
    ['x', 'key.type'],
    [{ B: null }, 'key.type'],
    [{ S: 'a', N: '1' }, 'key.type'],
    [{}, 'key.type'],
    [null, 'key.missing'],
  ])('that is %o is refused', (pk, code) =>
    within(suffix, async ({ process }) => {
      const { query, ...others } = commands(pk)
      for (const command of Object.values(others)) {
        await expect(process().send(command as never)).rejects.toMatchObject({
          name: 'ValidationException',
          code,
        })
      }
      // Its key is a placeholder first.
      await expect(process().send(query)).rejects.toMatchObject({ name: 'ValidationException' })
    }),
  )

  it('with a sort key that is null is refused in a batch of reads', () =>
    within(suffix, async ({ process }) => {
      const Keys = [{ pk: { S: 'a' }, sk: null as never }]
      await expect(
        process().send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } })),
      ).rejects.toMatchObject({ name: 'ValidationException' })
    }))
})

it.each(['calculated', 'random'] as const)(
  'a binary key with a text in it is refused, because versions of the SDK differ in what they send: %s suffix',
  (suffix) =>
    within(suffix, async ({ process }) => {
      const { put } = commands({ S: 'a' }, { B: 'aGVsbG8=' })
      if (suffix === 'calculated') {
        await expect(process().send(put)).rejects.toMatchObject({
          code: 'key.type',
          message: expect.stringContaining('is of type B without a Uint8Array in it'),
        })
      }
      await expect(process().send(commands({ B: 'aGVsbG8=' }).put)).rejects.toMatchObject({
        code: 'key.type',
        message: expect.stringContaining('is of type B without a Uint8Array in it'),
      })
    }),
)

it('a sort key may have members that are undefined, as in the SDK', () => {
  expect(keyValueOf({ N: undefined, S: 'x' } as never)).toEqual({ S: 'x' })
  expect(keyValueOf({ S: undefined, N: '1.0' } as never)).toEqual({ N: '1' })
})
