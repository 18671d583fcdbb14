import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import {
  itemOf,
  keyOf,
  open,
  put,
  SHADOW,
  SHARD_ATTRIBUTE,
  update,
  withTwins,
} from '../../test/indexed-requests.js'
import type { IndexedTwins } from '../../test/indexed-twins.js'
import type { StoredItem } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'
import { indexShard } from './shadow-key.js'

describe('a table of which only an index is sharded', () => {
  it('keeps its keys unchanged, and has the key of the index in addition to its value', async () => {
    await withTwins(SHADOW, async ({ db, plain }) => {
      await db.send(put(1))
      const { Items } = await plain.send(new ScanCommand({ TableName: 'files' }))
      const shard = indexShard([{ S: 'a' }, { N: '1' }], 3)
      expect(Items).toEqual([{ ...itemOf(1), isotherm_by_status: { S: `open_${shard}` } }])
    })
  })

  it('spreads the items of one value over all shards', async () => {
    await withTwins(SHADOW, async ({ db, plain }) => {
      for (let file = 0; file < 60; file++) await db.send(put(file))
      const { Items = [] } = await plain.send(new ScanCommand({ TableName: 'files' }))
      const counts = new Map<string | undefined, number>()
      for (const { isotherm_by_status: key } of Items) counts.set(key?.S, (counts.get(key?.S) ?? 0) + 1)
      expect([...counts.keys()].sort()).toEqual(['open_1', 'open_2', 'open_3'])
      expect(Math.min(...counts.values())).toBeGreaterThan(10)
    })
  })

  it('does not write to the index when the same item is put again', async () => {
    await withTwins(SHADOW, async ({ db }) => {
      const again = new PutItemCommand({ ...put(1).input, ReturnConsumedCapacity: 'INDEXES' } as never)
      const units: unknown[] = []
      for (let time = 0; time < 2; time++) {
        const { ConsumedCapacity } = await db.send(again)
        units.push(ConsumedCapacity?.GlobalSecondaryIndexes?.by_status?.CapacityUnits)
      }
      expect(units).toEqual([1, undefined])
    })
  })

  it('contains no shadow keys in any response', async () => {
    await withTwins(SHADOW, async ({ db }) => {
      const requests = [{ PutRequest: { Item: itemOf(1) } }, { PutRequest: { Item: itemOf(2) } }]
      await db.send(new BatchWriteItemCommand({ RequestItems: { files: requests } }))
      const TableName = 'files'
      const Key = keyOf(1)
      expect((await db.send(new GetItemCommand({ TableName, Key }))).Item).toEqual(itemOf(1))
      const { Responses = {} } = await db.send(
        new BatchGetItemCommand({ RequestItems: { files: { Keys: [Key] } } }),
      )
      expect(Responses.files).toEqual([itemOf(1)])
      const gets = await db.send(
        new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName, Key } }] }),
      )
      expect(gets.Responses).toEqual([{ Item: itemOf(1) }])
      const ofFolder = {
        TableName,
        KeyConditionExpression: 'folder = :folder',
        ExpressionAttributeValues: { ':folder': { S: 'a' } },
      }
      expect((await db.send(new QueryCommand(ofFolder))).Items).toEqual([itemOf(1), itemOf(2)])
    })
  })

  it('lists the requests that it would send', async () => {
    await withTwins(SHADOW, async ({ db }) => {
      const [written, ...others] = await db.explain(put(1))
      expect(others).toEqual([])
      expect(written).toMatchObject({ operation: 'PutItem', input: { Item: { isotherm_by_status: {} } } })
      const queries = await db.explain(
        new QueryCommand({ TableName: 'files', IndexName: 'by_status', ...open }),
      )
      const keys = queries.map(({ input }) => JSON.stringify(input.ExpressionAttributeValues)).sort()
      expect(keys.map((text) => /open_\d/.exec(text)?.[0])).toEqual(['open_1', 'open_2', 'open_3'])
    })
  })

  it('rejects PartiQL, and writes to attributes of the library', async () => {
    await withTwins(SHADOW, async ({ db }) => {
      const statement = new ExecuteStatementCommand({
        Statement: `UPDATE "files" SET status = 'x' WHERE folder = 'a'`,
      })
      await expect(db.send(statement)).rejects.toMatchObject({ code: 'command.unsupported' })
      const Item = { ...itemOf(1), isotherm_by_status: { S: 'open_1' } }
      const own = db.send(new PutItemCommand({ TableName: 'files', Item }))
      await expect(own).rejects.toMatchObject({ code: 'command.parameter-unsupported' })
      const legacy = new UpdateItemCommand({
        TableName: 'files',
        Key: keyOf(1),
        AttributeUpdates: { status: { Value: { S: 'x' }, Action: 'PUT' } },
      })
      await expect(db.send(legacy)).rejects.toMatchObject({ code: 'command.parameter-unsupported' })
    })
  })
})

describe('a request on a sharded table and one of which only an index is', () => {
  async function withBoth(test: (db: DynamoDBClient, twins: IndexedTwins) => Promise<void>): Promise<void> {
    await withTwins(SHADOW, async (twins) => {
      const plain = {
        partitionKey: 'folder',
        sortKey: 'file',
        suffix: 'calculated',
        shards: fixedShards(4),
      } as const
      const db = isotherm(twins.plain, {
        tables: { files: twins.options, plain },
        clock: twins.clock,
        random: new SeededRandom(3),
      })
      await test(db, twins)
    })
  }

  it('reads and writes each item in its table, in batches', async () => {
    await withBoth(async (db, twins) => {
      const requests = [{ PutRequest: { Item: itemOf(1) } }]
      await db.send(new BatchWriteItemCommand({ RequestItems: { files: requests, plain: requests } }))
      const Keys = { Keys: [keyOf(1)] }
      const { Responses } = await db.send(
        new BatchGetItemCommand({ RequestItems: { files: Keys, plain: Keys } }),
      )
      expect(Responses).toEqual({ files: [itemOf(1)], plain: [itemOf(1)] })
      expect(await twins.query(twins.db, 'files', open)).toEqual([itemOf(1)])
    })
  })

  it('reads and writes each item in its table, in transactions', async () => {
    await withBoth(async (db, twins) => {
      const tables = ['files', 'plain']
      const puts = tables.map((TableName) => ({ Put: { TableName, Item: itemOf(1) } }))
      await db.send(new TransactWriteItemsCommand({ TransactItems: puts }))
      const gets = tables.map((TableName) => ({ Get: { TableName, Key: keyOf(1) } }))
      const { Responses } = await db.send(new TransactGetItemsCommand({ TransactItems: gets }))
      expect(Responses).toEqual([{ Item: itemOf(1) }, { Item: itemOf(1) }])
      expect(await twins.query(twins.db, 'files', open)).toEqual([itemOf(1)])
      const refused = puts.map(({ Put }) => ({
        Put: {
          ...Put,
          ConditionExpression: 'attribute_not_exists(folder)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
        },
      }))
      const Code = 'ConditionalCheckFailed'
      await expect(db.send(new TransactWriteItemsCommand({ TransactItems: refused }))).rejects.toMatchObject({
        CancellationReasons: [
          { Code, Item: itemOf(1) },
          { Code, Item: itemOf(1) },
        ],
      })
    })
  })
})

describe('an update of a table with an index by an attribute of its own key', () => {
  it('creates no item when it only removes attributes, as in a table without the index', async () => {
    await withTwins(SHADOW, async (twins) => {
      const files = {
        partitionKey: 'folder',
        sortKey: 'file',
        indexes: { by_file: { partitionKey: 'file', shards: fixedShards(3) } },
      } as const
      const db = isotherm(twins.plain, { tables: { files }, clock: twins.clock, random: new SeededRandom(3) })
      const updateOf = (UpdateExpression: string) =>
        new UpdateItemCommand({
          TableName: 'files',
          Key: keyOf(1),
          UpdateExpression,
          ReturnValues: 'ALL_NEW',
        })
      expect((await db.send(updateOf('REMOVE draft'))).Attributes).toBeUndefined()
      expect(await twins.scan(twins.plain, 'files')).toEqual([])
      const set = new UpdateItemCommand({
        ...updateOf('SET draft = :x').input,
        ExpressionAttributeValues: { ':x': { S: 'x' } },
      })
      await db.send(set)
      await db.send(updateOf('REMOVE draft'))
      const shard = indexShard([{ S: 'a' }, { N: '1' }], 3)
      expect(await twins.scan(twins.plain, 'files')).toEqual([
        { ...keyOf(1), isotherm_by_file: { S: `1_${shard}` } },
      ])
    })
  })
})

describe('an update of an attribute that an index is sharded by', () => {
  const UNKNOWN: readonly (readonly [string, Record<string, StoredItem[string]>])[] = [
    ['SET #status = draft', {}],
    ['SET #status = if_not_exists(draft, :x)', { ':x': { S: 'x' } }],
    ['SET #status = #status + :one', { ':one': { N: '1' } }],
    ['ADD #status :one', { ':one': { N: '1' } }],
  ]

  it.each(UNKNOWN)(
    'is rejected when the request does not contain the new value: %s',
    async (text, values) => {
      await withTwins(SHADOW, async ({ db, plain }) => {
        await db.send(put(1))
        await expect(db.send(update(text, values))).rejects.toMatchObject({
          code: 'command.parameter-unsupported',
          message: expect.stringContaining('by_status'),
        })
        expect((await plain.send(new ScanCommand({ TableName: 'files' }))).Items).toMatchObject([itemOf(1)])
      })
    },
  )

  it('may be anything when the shard has a separate attribute', async () => {
    await withTwins(SHARD_ATTRIBUTE, async (twins) => {
      await twins.db.send(put(1, 'closed'))
      await twins.db.send(update('SET draft = :open REMOVE #status', { ':open': { S: 'open' } }))
      expect(await twins.query(twins.db, 'files', open)).toEqual([])
      await twins.db.send(update('SET #status = draft'))
      expect(await twins.query(twins.db, 'files', open)).toEqual([{ ...itemOf(1), draft: { S: 'open' } }])
    })
  })

  it.each([
    ['a list', { L: [] }, /Type mismatch for Index Key status/],
    ['an empty text', { S: '' }, /cannot contain an empty string value/],
  ] as const)('is refused in the words of the service for %s', async (_name, value, message) => {
    await withTwins(SHADOW, async ({ db }) => {
      for (const command of [
        update('SET #status = :x', { ':x': value as StoredItem[string] }),
        new PutItemCommand({
          TableName: 'files',
          Item: { ...keyOf(1), status: value as StoredItem[string] },
        }),
      ]) {
        await expect(db.send(command as UpdateItemCommand)).rejects.toMatchObject({
          name: 'ValidationException',
          message: expect.stringMatching(message),
        })
      }
    })
  })
})
