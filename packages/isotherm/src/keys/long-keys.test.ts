import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { fixedView } from '../protocol/index.js'
import { placementOf } from '../protocol/placement/placement.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { calculated } from '../writes/calculated.js'
import type { ItemKey } from './item-key.js'
import type { LogicalKey } from './key.js'

const SHARDS = 12
/** With the suffix `_9` it has the maximum length of a partition key in DynamoDB. */
const LONG = { S: 'x'.repeat(2_046) }
const ROOM = 9
const TableName = 'log'

const keyOf = (sort: number) => ({ pk: LONG, sk: { N: String(sort) } })

/** The shard of an item with a calculated suffix. */
function shardOf(sort: number): number {
  const key: ItemKey = { logical: LONG as unknown as LogicalKey, sort: { N: String(sort) } }
  return placementOf({ suffix: calculated(), partitionKey: 'pk' }).home(fixedView(SHARDS), key)
}

const ALL = Array.from({ length: 30 }, (_, index) => index)
/** The items whose key has room in their calculated shard. */
const SORTS = ALL.filter((sort) => shardOf(sort) <= ROOM).slice(0, 8)
/** An item that is not stored, and whose key has no room in its calculated shard. */
const ABSENT = ALL.find((sort) => shardOf(sort) > ROOM) ?? 0

/** A table with items of the long key in its first shards, as earlier builds stored them. */
async function withItems(
  options: Parameters<typeof shardedEngine>[0],
  work: (engine: ShardedEngine) => Promise<void>,
): Promise<void> {
  const engine = await shardedEngine(options)
  await engine.clock.run(async () => {
    for (const sort of SORTS) {
      const shard = options.suffix === 'random' ? 1 + (sort % ROOM) : shardOf(sort)
      const Item = { ...keyOf(sort), pk: { S: `${LONG.S}_${shard}` } }
      await engine.client.send(new PutItemCommand({ TableName, Item }))
    }
    await work(engine)
  })
  await engine.close()
}

async function queried({ process }: ShardedEngine, Limit: number, isForward: boolean) {
  const db = process()
  const sorts: number[] = []
  let ExclusiveStartKey: QueryCommandOutput['LastEvaluatedKey']
  do {
    const page: QueryCommandOutput = await db.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': LONG },
        ScanIndexForward: isForward,
        Limit,
        ExclusiveStartKey,
      }),
    )
    sorts.push(...(page.Items ?? []).map(({ sk }) => Number(sk?.N)))
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
  return sorts
}

describe.each([
  ['random', fixedShards(SHARDS)],
  ['calculated', fixedShards(SHARDS)],
  ['random', dynamicShards({ initial: SHARDS })],
  ['calculated', dynamicShards({ initial: SHARDS })],
] as const)(
  'items of a key with room in its first shards only, with a %s suffix and %o',
  (suffix, shards) => {
    const within = (work: (engine: ShardedEngine) => Promise<void>) => withItems({ suffix, shards }, work)

    it('are read', () =>
      within(async (engine) => {
        const db = engine.process()
        const Keys = SORTS.map(keyOf)
        for (const Key of Keys) {
          for (const ConsistentRead of [true, false]) {
            const { Item } = await db.send(new GetItemCommand({ TableName, Key, ConsistentRead }))
            expect(Item).toEqual(Key)
          }
        }
        const { Responses } = await db.send(
          new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }),
        )
        expect(Responses?.[TableName]).toHaveLength(SORTS.length)
        const TransactItems = Keys.map((Key) => ({ Get: { TableName, Key } }))
        const gets = await db.send(new TransactGetItemsCommand({ TransactItems }))
        expect(gets.Responses).toEqual(Keys.map((Item) => ({ Item })))
        for (const limit of [1, 3, 100]) {
          expect(await queried(engine, limit, true)).toEqual(SORTS)
          expect(await queried(engine, limit, false)).toEqual(SORTS.toReversed())
        }
      }))

    it('are checked and deleted', () =>
      within(async ({ client, process }) => {
        const db = process()
        const [single = 0, checked = 0, together = 0, ...others] = SORTS
        const conditions = { TableName, ConditionExpression: 'attribute_exists(pk)' }
        await db.send(
          new TransactWriteItemsCommand({
            TransactItems: [
              { ConditionCheck: { ...conditions, Key: keyOf(checked) } },
              { Delete: { ...conditions, Key: keyOf(together) } },
            ],
          }),
        )
        const { Attributes } = await db.send(
          new DeleteItemCommand({ TableName, Key: keyOf(single), ReturnValues: 'ALL_OLD' }),
        )
        expect(Attributes).toEqual(keyOf(single))
        const requests = [checked, ...others].map((sort) => ({ DeleteRequest: { Key: keyOf(sort) } }))
        await db.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }))
        expect(await scanned(client, TableName)).toEqual([])
      }))

    it('are not created or changed', () =>
      within(async ({ client, process }) => {
        const db = process()
        const before = await scanned(client, TableName)
        for (const sort of [...SORTS, ABSENT]) {
          const Key = keyOf(sort)
          for (const command of [
            new PutItemCommand({ TableName, Item: Key }),
            new UpdateItemCommand({ TableName, Key }),
            new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: Key } }] } }),
            new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: Key } }] }),
            new TransactWriteItemsCommand({
              TransactItems: [{ Update: { TableName, Key, UpdateExpression: 'REMOVE a' } }],
            }),
          ]) {
            await expect(db.send(command as never)).rejects.toMatchObject({ code: 'key.too-long' })
          }
        }
        expect(await scanned(client, TableName)).toEqual(before)
      }))
  },
)

it('are created in no place that items leave, while the count of such a key grows', () =>
  withItems(
    { suffix: 'calculated', shards: dynamicShards({ initial: ROOM }) },
    async ({ clock, process }) => {
      const db = process()
      await db.send(new PutItemCommand({ TableName, Item: { pk: { S: 'other' }, sk: { N: '1' } } }))
      const migration = process().migrate(TableName, { initial: SHARDS })
      await clock.sleep(31_500)
      const accepted: number[] = []
      for (const sort of [...SORTS, ...ALL]) {
        for (const command of [
          new PutItemCommand({ TableName, Item: keyOf(sort) }),
          new UpdateItemCommand({ TableName, Key: keyOf(sort) }),
          new BatchWriteItemCommand({
            RequestItems: { [TableName]: [{ PutRequest: { Item: keyOf(sort) } }] },
          }),
          new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: keyOf(sort) } }] }),
        ]) {
          await db.send(command as PutItemCommand).then(
            () => accepted.push(sort),
            (error: unknown) => expect(error).toMatchObject({ code: 'key.too-long' }),
          )
        }
      }
      expect(new Set(accepted)).toEqual(new Set(ALL.filter((sort) => shardOf(sort) <= ROOM)))
      await migration.catch((error: unknown) => expect(error).toMatchObject({ code: 'key.too-long' }))
      await clock.sleep(60_000)
      for (const sort of accepted) {
        const { Item } = await db.send(new GetItemCommand({ TableName, Key: keyOf(sort) }))
        expect(Item).toEqual(keyOf(sort))
      }
    },
  ))

it('stay writable with a random suffix while the count of their key grows, and afterwards', () =>
  withItems({ suffix: 'random', shards: dynamicShards({ initial: ROOM }) }, async ({ process }) => {
    const db = process()
    await db.migrate(TableName, { initial: SHARDS + 4 })
    for (const sort of SORTS) {
      await db.send(
        new UpdateItemCommand({
          TableName,
          Key: keyOf(sort),
          UpdateExpression: 'SET seen = :yes',
          ExpressionAttributeValues: { ':yes': { BOOL: true } },
        }),
      )
      const { Item } = await db.send(new GetItemCommand({ TableName, Key: keyOf(sort) }))
      expect(Item).toEqual({ ...keyOf(sort), seen: { BOOL: true } })
    }
  }))

it('are appended to the shards with room by every write, with a random suffix', () =>
  withItems({ suffix: 'random', shards: dynamicShards({ initial: ROOM }) }, async (engine) => {
    const db = engine.process()
    await db.migrate(TableName, { initial: SHARDS + 4 })
    const sorts = Array.from({ length: 40 }, (_, index) => 100 + 3 * index)
    for (const sort of sorts) {
      await db.send(new PutItemCommand({ TableName, Item: keyOf(sort) }))
      const PutRequest = { Item: keyOf(sort + 1) }
      await db.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest }] } }))
      const Put = { TableName, Item: keyOf(sort + 2) }
      await db.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }))
    }
    const appended = sorts.flatMap((sort) => [sort, sort + 1, sort + 2])
    expect(await queried(engine, 1_000, true)).toEqual([...SORTS, ...appended])
    const shards = new Set((await scanned(engine.client, TableName)).map(({ pk }) => pk?.S))
    expect(shards.size).toBe(ROOM)
  }))

it('lowering the count of such a key moves its items, and asks no shard without room', () =>
  withItems({ suffix: 'random', shards: dynamicShards({ initial: 3 }) }, async (engine) => {
    const db = engine.process()
    await engine.client.send(
      new PutItemCommand({
        TableName: 'log_shard_map',
        Item: {
          pk: LONG,
          number_of_shards: { N: String(SHARDS) },
          last_updated: { N: '1' },
          shard_history: { SS: [`1:${SHARDS}`] },
        },
      }),
    )
    await db.send(new GetItemCommand({ TableName, Key: { pk: { S: 'other' }, sk: { N: '1' } } }))
    const shards = db.shards(TableName, LONG.S)
    expect(await shards.price(4)).toMatchObject({
      items: SORTS.filter((sort) => 1 + (sort % ROOM) > 4).length,
    })
    await shards.set(4)
    await shards.drain()
    expect(await shards.read()).toMatchObject({ readableShards: 4, phase: 'settled' })
    expect(await queried(engine, 100, true)).toEqual(SORTS)
  }))

it('a delete and a check of a missing item of such a key need no room in the shard where it would be created', () =>
  withItems({ suffix: 'random', shards: fixedShards(SHARDS) }, async ({ process }) => {
    const db = process()
    const Key = keyOf(ABSENT)
    await db.send(new DeleteItemCommand({ TableName, Key }))
    const ConditionExpression = 'attribute_not_exists(pk)'
    const TransactItems = [{ ConditionCheck: { TableName, Key, ConditionExpression } }]
    await db.send(new TransactWriteItemsCommand({ TransactItems }))
    expect((await db.send(new GetItemCommand({ TableName, Key }))).Item).toBeUndefined()
  }))

it('a key without room in any shard is refused by every request', () =>
  withItems({ suffix: 'random', shards: fixedShards(SHARDS) }, async ({ process }) => {
    const db = process()
    const pk = { S: 'x'.repeat(2_047) }
    const Key = { pk, sk: { N: '1' } }
    for (const command of [
      new GetItemCommand({ TableName, Key }),
      new DeleteItemCommand({ TableName, Key }),
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      }),
    ])
      await expect(db.send(command as never)).rejects.toMatchObject({ code: 'key.too-long' })
  }))
