import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { backfillIndexes } from '../client/backfill-indexes.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermMethods } from '../client/isotherm-methods.js'
import type { IndexedTableOptions } from '../client/options.js'
import type { IsothermEvent } from '../events/event.js'
import { ensureShardMap } from '../protocol/index.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

type Attributes = Record<string, AttributeValue>

const INDEX = 'by_status'
const TABLE: IndexedTableOptions = {
  partitionKey: 'file',
  indexes: { [INDEX]: { partitionKey: 'status', shards: dynamicShards() } },
}

interface Scene {
  readonly client: DynamoDBClient
  readonly clock: VirtualClock
  readonly events: IsothermEvent[]
  /** A client of another process. */
  open(table?: object): DynamoDBClient & IsothermMethods
}

/** Runs a test on a table whose partition key has a type, and on its shard map. */
async function onTable(file: string, test: (scene: Scene) => Promise<void>, hash = ['isotherm_by_status']) {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const events: IsothermEvent[] = []
  const opened: { destroy(): void }[] = []
  const open = (table: object = TABLE) => {
    const random = new SeededRandom(opened.length)
    const tables = { files: table as IndexedTableOptions }
    const db = isotherm(client, { tables, clock, random, onEvent: (event) => events.push(event) })
    opened.push(db)
    return db
  }
  await clock.run(async () => {
    await client.send(createTable('files', [file], { global: { [INDEX]: { key: { hash } } } }))
    await ensureShardMap(client, { table: 'files', clock })
    await test({ client, clock, events, open })
  })
  for (const db of opened) db.destroy()
  await local.close()
}

const put = (file: AttributeValue, status: AttributeValue = { S: 'open' }) =>
  new PutItemCommand({ TableName: 'files', Item: { file, status } })

async function countOf(db: DynamoDBClient, status: AttributeValue = { S: 'open' }): Promise<number> {
  const command = new QueryCommand({
    TableName: 'files',
    IndexName: INDEX,
    KeyConditionExpression: '#status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': status },
  })
  return (await db.send(command)).Items?.length ?? 0
}

async function stored(client: DynamoDBClient, TableName = 'files'): Promise<readonly Attributes[]> {
  return (await client.send(new ScanCommand({ TableName }))).Items ?? []
}

function shardsIn(items: readonly Attributes[], attribute = 'isotherm_by_status'): readonly string[] {
  return [...new Set(items.map(({ [attribute]: key }) => key?.S ?? key?.N ?? ''))].sort()
}

async function putMany(db: DynamoDBClient, from: number, to: number): Promise<void> {
  for (let file = from; file < to; file++) await db.send(put({ S: `f${file}` }))
}

describe('the counts of an index', () => {
  it.each([
    ['text', 'file', (at: number): AttributeValue => ({ S: `f${at}` })],
    ['a number', 'file:N', (at: number): AttributeValue => ({ N: String(at) })],
    ['bytes', 'file:B', (at: number): AttributeValue => ({ B: new Uint8Array([at]) })],
  ])('are kept in the shard map of a table whose key is %s', async (_type, file, keyAt) => {
    await onTable(file, async ({ client, clock, events, open }) => {
      const [db, reader] = [open(), open()]
      await db.send(put(keyAt(0)))
      await db.shards('files', 'open', { index: INDEX }).set(6)
      expect(events).toMatchObject([
        { type: 'scaled', table: 'files', index: INDEX, logicalKey: 'open', from: 1, to: 6, reason: 'set' },
      ])
      for (let at = 1; at < 40; at++) await db.send(put(keyAt(at)))
      expect(shardsIn(await stored(client))).toEqual([1, 2, 3, 4, 5, 6].map((shard) => `open_${shard}`))
      expect(await countOf(db)).toBe(40)
      await clock.sleep(10_000)
      expect(await countOf(reader)).toBe(40)
      expect(await stored(client, 'files_shard_map')).toHaveLength(1)
    })
  })

  it('belong to the value, of any type, and to no other', async () => {
    await onTable('file', async ({ client, open }) => {
      const db = open()
      const shards = db.shards('files', 5, { index: INDEX })
      expect(await shards.read()).toBeUndefined()
      expect(await shards.set(3)).toMatchObject({ shards: 3, readableShards: 3 })
      for (let at = 0; at < 20; at++) await db.send(put({ S: `f${at}` }, { N: '5.0' }))
      await db.send(put({ S: 'late' }, { S: 'late' }))
      expect(shardsIn(await stored(client))).toEqual(['5_1', '5_2', '5_3', 'late_1'])
      expect(await countOf(db, { N: '5' })).toBe(20)
    })
  })

  it('are left out of what is explained', async () => {
    await onTable('file', async ({ client, open }) => {
      const [request] = await open().explain(put({ S: 'f' }))
      expect(request?.input).toMatchObject({ Item: { isotherm_by_status: { S: 'open_1' } } })
      expect(await stored(client, 'files_shard_map')).toEqual([])
    })
  })

  it('may be lowered by hand, and then queries still read the retired shards', async () => {
    await onTable('file', async ({ open, clock }) => {
      const [db, reader] = [open(), open()]
      const shards = db.shards('files', 'open', { index: INDEX })
      await shards.set(8)
      await putMany(db, 0, 30)
      expect(await shards.set(2)).toMatchObject({ shards: 2, readableShards: 8 })
      await putMany(db, 30, 40)
      expect(await countOf(db)).toBe(40)
      await clock.sleep(24 * 3_600_000)
      expect(await countOf(reader)).toBe(40)
      expect(await shards.read()).toMatchObject({ shards: 2, readableShards: 8 })
    })
  })

  it('leave the entry of an item that is put again where it is', async () => {
    await onTable('file', async ({ client, open }) => {
      const db = open()
      await db.shards('files', 'open', { index: INDEX }).set(8)
      await putMany(db, 0, 10)
      const before = await stored(client)
      await putMany(db, 0, 10)
      expect(await stored(client)).toEqual(before)
    })
  })

  it('reject what they cannot work with', async () => {
    await onTable('file', async ({ open }) => {
      const db = open()
      const refused = (action: () => unknown, code: string) =>
        expect(Promise.resolve().then(action)).rejects.toMatchObject({ code })
      await refused(() => db.shards('files', 'open', { index: 'by_owner' }), 'options.invalid')
      await refused(() => db.shards('others', 'open', { index: INDEX }), 'options.invalid')
      await refused(() => db.shards('files', '', { index: INDEX }), 'options.invalid')
      await refused(() => db.shards('files', 'open', { name: INDEX } as never), 'options.unknown')
      await refused(() => db.shards('files', 'open', { index: INDEX }).set(0), 'options.invalid')
      await refused(() => db.send(put({ S: 'f' }, { S: 'x'.repeat(2_010) })), 'key.too-long')
      const fixed = open({
        ...TABLE,
        indexes: { [INDEX]: { partitionKey: 'status', shards: fixedShards(2) } },
      })
      await refused(() => fixed.shards('files', 'open', { index: INDEX }), 'shards.fixed')
      const sharded = open({ ...TABLE, suffix: 'random', shards: dynamicShards(), sortKey: 'status' })
      const key = 'isotherm:index:["isotherm_by_status","S","open"]'
      await refused(() => sharded.send(put({ S: key })), 'key.ambiguous')
      await refused(() => sharded.shards('files', key), 'options.invalid')
    })
  })

  it('stop the write where the shard map is missing, and say so', async () => {
    await onTable('file', async ({ open }) => {
      const db = open({ ...TABLE, shardMap: 'missing' })
      await expect(db.send(put({ S: 'f' }))).rejects.toMatchObject({ code: 'shard-map.missing' })
    })
  })
})

describe('an index with a shard attribute and dynamic counts', () => {
  const options = {
    ...TABLE,
    indexes: {
      [INDEX]: {
        partitionKey: 'status',
        shardAttribute: 'status_shard',
        shards: dynamicShards({ initial: 4 }),
      },
    },
  }
  const update = (UpdateExpression: string, value: AttributeValue) =>
    new UpdateItemCommand({
      TableName: 'files',
      Key: { file: { S: 'f' } },
      UpdateExpression,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':value': value },
    })

  it('keeps the shard of the value that the item has', async () => {
    await onTable(
      'file',
      async ({ client, open }) => {
        const db = open(options)
        await db.shards('files', 'late', { index: INDEX }).set(50)
        await db.send(update('SET #status = :value', { S: 'open' }))
        const before = await stored(client)
        await db.send(update('SET #status = if_not_exists(#status, :value)', { S: 'late' }))
        expect(await stored(client)).toEqual(before)
        expect(await countOf(db)).toBe(1)
      },
      ['status', 'status_shard:N'],
    )
  })

  it('rejects an update to a value that the request does not contain', async () => {
    await onTable(
      'file',
      async ({ open }) => {
        const db = open(options)
        await expect(db.send(update('ADD #status :value', { N: '1' }))).rejects.toMatchObject({
          code: 'command.parameter-unsupported',
        })
      },
      ['status', 'status_shard:N'],
    )
  })
})

describe('the way to dynamic counts', () => {
  it('from a fixed number begins with that number as the initial and the greatest one', async () => {
    const index = (shards: object) => ({ ...TABLE, indexes: { [INDEX]: { partitionKey: 'status', shards } } })
    await onTable('file', async ({ open, clock }) => {
      const old = open(index(fixedShards(4)))
      const between = open(index(dynamicShards({ initial: 4, max: 4 })))
      await putMany(old, 0, 20)
      await putMany(between, 20, 40)
      expect([await countOf(old), await countOf(between)]).toEqual([40, 40])
      const last = open(index(dynamicShards({ initial: 4 })))
      await last.shards('files', 'open', { index: INDEX }).set(9)
      await putMany(last, 40, 60)
      await clock.sleep(10_000)
      expect([await countOf(between), await countOf(last)]).toEqual([60, 60])
    })
  })

  it('backfills items without a shard, and leaves the others where queries find them', async () => {
    await onTable('file', async ({ client, clock, open }) => {
      const db = open()
      for (let at = 0; at < 10; at++) await client.send(put({ S: `old${at}` }))
      await putMany(db, 0, 10)
      await db.shards('files', 'open', { index: INDEX }).set(5)
      // A number of shards that nobody reads.
      const Item = { file: { S: 'lost' }, status: { S: 'open' }, isotherm_by_status: { S: 'open_77' } }
      await client.send(new PutItemCommand({ TableName: 'files', Item }))
      const { written } = await backfillIndexes(client, {
        table: 'files',
        options: TABLE,
        unitsPerSecond: 10_000,
        clock,
      })
      expect(written).toBe(11)
      expect(await countOf(db)).toBe(21)
    })
  })
})

describe('a batch beside other tables', () => {
  it('writes their items as well', async () => {
    await onTable('file', async ({ client, open }) => {
      await client.send(createTable('others', ['id']))
      const Item = { file: { S: 'f' }, status: { S: 'open' } }
      const RequestItems = {
        files: [{ PutRequest: { Item } }, { DeleteRequest: { Key: { file: { S: 'g' } } } }],
        others: [{ PutRequest: { Item: { id: { S: 'o' } } } }],
      }
      const output = await open().send(
        new BatchWriteItemCommand({ RequestItems, ReturnConsumedCapacity: 'TOTAL' }),
      )
      expect(output.UnprocessedItems).toEqual({})
      expect(output.ConsumedCapacity?.map(({ TableName }) => TableName).sort()).toEqual(['files', 'others'])
      expect(await stored(client, 'others')).toHaveLength(1)
    })
  })
})
