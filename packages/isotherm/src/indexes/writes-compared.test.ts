import {
  CreateTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { scanned } from '../../test/sharded-engine.js'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { IndexedTableOptions, ShardedTableOptions } from '../client/options.js'
import { ensureShardMap } from '../protocol/index.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import type { ShardedIndexOptions } from './index-options.js'

type Options = Partial<ShardedIndexOptions> & Pick<IndexedTableOptions, 'delimiter' | 'checkItems'>

interface World {
  readonly client: DynamoDBClient
  readonly clock: VirtualClock
  /** The requests other than puts. */
  readonly asked: string[]
  readonly denied: Set<string>
  /** The answers of scans come so many milliseconds late. */
  readonly late: { milliseconds: number }
  process(given?: Options): ReturnType<typeof isotherm<DynamoDBClient>>
}

type Kind = 'plain' | 'calculated'

async function within(
  { kind = 'plain', projection = 'ALL' }: { kind?: Kind; projection?: 'ALL' | 'KEYS_ONLY' },
  work: (world: World) => Promise<void>,
): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const asked: string[] = []
  const denied = new Set<string>()
  const late = { milliseconds: 0 }
  await clock.run(async () => {
    await client.send(filesTable(projection))
    await ensureShardMap(client, { table: 'files', clock })
    watchRequests(client, {
      before: ({ operation }) => {
        if (operation !== 'PutItem') asked.push(operation)
        if (denied.has(operation))
          throw Object.assign(new Error('denied'), { name: 'AccessDeniedException', $fault: 'client' })
      },
    })
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'ScanCommand') await clock.sleep(late.milliseconds)
          return next(args)
        },
      { step: 'initialize' },
    )
    await work({
      client,
      clock,
      asked,
      denied,
      late,
      process: ({ delimiter, checkItems, ...index } = {}) => {
        const indexes = {
          by_status: { partitionKey: 'status', sortKey: 'at', shards: fixedShards(4), ...index },
        }
        const files = { partitionKey: 'pk', sortKey: 'sk', indexes, delimiter, checkItems }
        const sharded: ShardedTableOptions = { ...files, suffix: 'calculated', shards: dynamicShards() }
        return isotherm(client, {
          tables: { files: kind === 'plain' ? files : sharded },
          clock,
          random: new SeededRandom(2),
        })
      },
    })
  })
  await local.close()
}

function filesTable(ProjectionType: 'ALL' | 'KEYS_ONLY'): CreateTableCommand {
  const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' as const })
  const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' as const })
  return new CreateTableCommand({
    TableName: 'files',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [hash('pk'), range('sk')],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
      { AttributeName: 'isotherm_by_status', AttributeType: 'S' },
      { AttributeName: 'at', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by_status',
        KeySchema: [hash('isotherm_by_status'), range('at')],
        Projection: { ProjectionType },
      },
    ],
  })
}

type Db = ReturnType<World['process']>

let last = 0
const put = (db: Db, attributes: Record<string, string> = { status: 'open' }) => {
  const id = `${++last}`
  const own = Object.entries(attributes).map(([name, S]) => [name, { S }])
  const Item = { pk: { S: id }, sk: { S: 'a' }, at: { N: id }, ...Object.fromEntries(own) }
  return db.send(new PutItemCommand({ TableName: 'files', Item }))
}

async function fill(db: Db, items = 20, status = 'open'): Promise<void> {
  for (let item = 0; item < items; item++) await put(db, { status })
}

async function countOf(db: Db, status: string): Promise<number> {
  const { Count = 0 } = await db.send(
    new QueryCommand({
      TableName: 'files',
      IndexName: 'by_status',
      KeyConditionExpression: '#status = :status',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': { S: status } },
    }),
  )
  return Count
}

describe.each<Kind>(['plain', 'calculated'])('a write of an index entry, in a table that is %s', (kind) => {
  it('is refused if the index has another key', () =>
    within({ kind }, async ({ process, client }) => {
      const refused = {
        code: 'table.no-index',
        message: expect.stringMatching(
          /is isotherm_by_status, and the options say x_key\..*Correct shadowKey/,
        ),
      }
      await expect(put(process({ shadowKey: 'x_key' }))).rejects.toMatchObject(refused)
      await fill(process())
      const before = await scanned(client, 'files')
      const db = process({ shadowKey: 'x_key' })
      for (let at = 0; at < 2; at++) await expect(put(db)).rejects.toMatchObject(refused)
      expect(await scanned(client, 'files')).toEqual(before)
    }))

  it('is refused if another process reads fewer shards of the value', () =>
    within({ kind }, async ({ process }) => {
      const dynamic = process({ shards: dynamicShards() })
      await dynamic.shards('files', 'open', { index: 'by_status' }).set(8)
      await fill(dynamic)
      await fill(dynamic, 20, 'done')
      const fixed = process({ shards: fixedShards(4) })
      await put(fixed, { status: 'open' })
      for (let at = 0; at < 2; at++) {
        await expect(put(fixed, { status: 'done' })).rejects.toMatchObject({
          code: 'items.elsewhere',
          message: expect.stringMatching(/"done".* has 1 in the shard map.*fixedShards\(4\).*set\(4\)/),
          details: { shard: 4, shards: 1 },
        })
      }
      await dynamic.shards('files', 'done', { index: 'by_status' }).set(4)
      for (let item = 0; item < 20; item++) await put(fixed, { status: 'done' })
      expect(await countOf(process({ shards: dynamicShards() }), 'done')).toBe(40)
    }))
})

describe('a write of an index entry', () => {
  it('is refused if the delimiter is another one', () =>
    within({}, async ({ process, client, asked }) => {
      await fill(process())
      const before = await scanned(client, 'files')
      const db = process({ delimiter: '#' })
      asked.length = 0
      for (let at = 0; at < 5; at++)
        await expect(put(db)).rejects.toMatchObject({
          code: 'items.elsewhere',
          message: expect.stringMatching(/isotherm_by_status "open_\d".*Set the delimiter/),
        })
      expect(asked.filter((each) => each === 'Scan')).toHaveLength(1)
      expect(await scanned(client, 'files')).toEqual(before)
    }))

  it('is refused in an update', () =>
    within({}, async ({ process }) => {
      await fill(process())
      const update = new UpdateItemCommand({
        TableName: 'files',
        Key: { pk: { S: '1' }, sk: { S: 'a' } },
        UpdateExpression: 'SET #status = :status',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':status': { S: 'done' } },
      })
      await expect(process({ delimiter: '#' }).send(update)).rejects.toMatchObject({
        code: 'items.elsewhere',
      })
    }))

  it('is refused if the entries are made of another attribute', () =>
    within({}, async ({ process, clock }) => {
      await fill(process())
      const db = process({ partitionKey: 'state' })
      const refused = { code: 'items.elsewhere', message: expect.stringMatching(/Set partitionKey/) }
      await expect(put(db, { state: 'open' })).rejects.toMatchObject(refused)
      const other = process({ partitionKey: 'pk2' })
      await put(other, { status: 'open' })
      await clock.sleep(1_000)
      // The comparison has run beside the first put, which has nothing for the index.
      await expect(put(other, { status: 'open' })).rejects.toMatchObject(refused)
    }))

  it('is refused if the entries have the attribute, with other values', () =>
    within({}, async ({ process }) => {
      const writer = process()
      for (let item = 0; item < 5; item++) await put(writer, { status: 'open', kind: `kind ${item}` })
      const wrong = put(process({ partitionKey: 'kind' }), { kind: 'kind 1' })
      await expect(wrong).rejects.toMatchObject({ code: 'items.elsewhere' })
    }))

  it('goes on where the index does not project the attribute', () =>
    within({ projection: 'KEYS_ONLY' }, async ({ process }) => {
      await fill(process())
      await fill(process())
      expect(await countOf(process(), 'open')).toBe(40)
    }))

  it('goes on where a few entries are out of date', () =>
    within({}, async ({ process, client }) => {
      const first = last + 1
      await fill(process(), 2)
      for (let id = first; id <= last; id++) {
        const Key = { pk: { S: `${id}` }, sk: { S: 'a' } }
        await client.send(
          new UpdateItemCommand({
            TableName: 'files',
            Key,
            UpdateExpression: 'REMOVE #s',
            ExpressionAttributeNames: { '#s': 'status' },
          }),
        )
      }
      await fill(process(), 5)
    }))

  it('goes on where nothing can be compared, and without the comparison', () =>
    within({}, async ({ process, denied }) => {
      await fill(process())
      for (const operation of ['Scan', 'DescribeTable', 'GetItem']) denied.add(operation)
      await put(process({ delimiter: '#' }))
      denied.clear()
      await put(process({ delimiter: '#', checkItems: false }))
    }))

  it('waits for the comparison, unlike an item without an entry', () =>
    within({}, async ({ process, clock, late }) => {
      await fill(process())
      late.milliseconds = 5_000
      const db = process()
      const from = clock.now()
      await put(db, {})
      expect(clock.now() - from).toBeLessThan(100)
      await put(db)
      expect(clock.now() - from).toBeGreaterThanOrEqual(5_000)
      late.milliseconds = 50_000
      const begun = clock.now()
      await put(process())
      expect(clock.now() - begun).toBeLessThan(11_000)
    }))

  it('asks once for all writes that begin together, and again after five minutes', () =>
    within({}, async ({ process, clock, asked }) => {
      await fill(process())
      const db = process()
      asked.length = 0
      await Promise.all(Array.from({ length: 20 }, () => put(db)))
      expect(asked.sort()).toEqual(['GetItem', 'Scan'])
      await fill(db)
      expect(asked).toHaveLength(2)
      await clock.sleep(300_000)
      await fill(db)
      expect(asked).toHaveLength(4)
    }))
})
