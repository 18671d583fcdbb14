import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { sdkClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { MemoryCache } from '../../test/shared-map.js'
import * as core from '../core.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import { EVERYTHING } from './everything.js'
import { mergedParts } from './merged-parts.js'

const { appends, batches, calculated, dynamicShards, fixedShards, isotherm, items, queries } = core

const ALL = [
  core.appends,
  core.items,
  core.queries,
  core.scans,
  core.batches,
  core.transactions,
  core.indexes,
  core.rebalancing,
  core.migrating,
  core.secondLevelCache,
  core.explain,
]

const KEYS = { partitionKey: 'pk', sortKey: 'sk' } as const
const LOG = { ...KEYS, suffix: 'random', shards: fixedShards(4) } as const
const Key = { pk: { S: 'k' }, sk: { N: '1' } }
const TableName = 'log'

async function setUp(parts: readonly core.Part[], log: object = LOG, more: object = {}) {
  const tables = new FakeTables().create('log', KEYS).create('other', KEYS)
  const random = new SeededRandom(1)
  const options = { parts, tables: { log }, random, ...more } as core.CoreOptions
  const db = isotherm<DynamoDBClient>(await sdkClient(tables), options)
  return { db, tables }
}

const put = (more: Partial<PutItemCommandInput> = {}) => new PutItemCommand({ TableName, Item: Key, ...more })
const query = (more: object = {}) =>
  new QueryCommand({
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'k' } },
    ...more,
  })

/** A command of each kind, and the part that it needs. */
const COMMANDS: readonly (readonly [part: string, command: AnyCommand])[] = [
  ['items', put()],
  ['items', new GetItemCommand({ TableName, Key })],
  ['items', new UpdateItemCommand({ TableName, Key })],
  ['items', new DeleteItemCommand({ TableName, Key })],
  ['queries', query()],
  ['scans', new ScanCommand({ TableName })],
  ['batches', new BatchGetItemCommand({ RequestItems: { log: { Keys: [Key] } } })],
  ['batches', new BatchWriteItemCommand({ RequestItems: { log: [{ PutRequest: { Item: Key } }] } })],
  ['transactions', new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName, Key } }] })],
  ['transactions', new TransactWriteItemsCommand({ TransactItems: [{ Delete: { TableName, Key } }] })],
]

describe('a client of parts', () => {
  it('writes and reads like the full client, with the required parts', async () => {
    const { db, tables } = await setUp([queries, appends])
    for (let sk = 0; sk < 20; sk++) await db.send(put({ Item: { ...Key, sk: { N: String(sk) } } }))
    const { Items = [] } = await db.send(query({ ScanIndexForward: false, Limit: 3 }))
    expect(Items).toEqual([19, 18, 17].map((sk) => ({ pk: { S: 'k' }, sk: { N: String(sk) } })))
    expect(new Set(tables.items('log').map(({ pk }) => JSON.stringify(pk))).size).toBe(4)
  })

  it.each(COMMANDS)('rejects a use of the missing part %s, and sends nothing', async (part, command) => {
    const { db, tables } = await setUp([core.explain])
    const operation = command.constructor.name.replace('Command', '')
    await expect(db.send(command as never)).rejects.toMatchObject({
      code: 'part.missing',
      details: { part, use: operation, table: 'log' },
      message: expect.stringContaining(`Import ${part} from isotherm/core`),
    })
    expect(tables.requests).toEqual([])
  })

  it.each(COMMANDS)('suggests the part %s for a command that it rejects', (part, command) => {
    const operation = command.constructor.name.replace('Command', '')
    const named = ALL.filter(({ name }) => name === part)
    expect(mergedParts(named).commands).toHaveProperty(operation)
  })

  it.each([
    ['under a condition', put({ ConditionExpression: 'attribute_not_exists(pk)' }), LOG],
    ['with a return value', put({ ReturnValues: 'ALL_OLD' }), LOG],
    ['with a calculated suffix', put(), { ...KEYS, suffix: calculated(), shards: fixedShards(4) }],
  ])('appends nothing %s', async (_what, command, log) => {
    const { db, tables } = await setUp([appends], log)
    await expect(db.send(command)).rejects.toMatchObject({
      code: 'part.missing',
      details: { part: 'items', table: 'log' },
    })
    expect(tables.requests).toEqual([])
  })

  it('rejects an append like every put', async () => {
    const { db, tables } = await setUp([appends])
    await expect(db.send(put({ Item: { pk: { S: 'k' } } }))).rejects.toMatchObject({ code: 'key.missing' })
    await expect(db.send(put({ Item: { ...Key, pk: { S: '' } } }))).rejects.toMatchObject({
      name: 'ValidationException',
    })
    await expect(db.send(put({ Item: { ...Key, isotherm_moving: { S: '1' } } }))).rejects.toMatchObject({
      code: 'command.parameter-unsupported',
    })
    expect(tables.requests).toEqual([])
  })

  it('combines items and appends, in either order', async () => {
    for (const parts of [
      [items, appends],
      [appends, items],
    ]) {
      const { db, tables } = await setUp(parts, { ...LOG, shards: fixedShards(1) })
      await db.send(put())
      const again = put({ ConditionExpression: 'attribute_not_exists(pk)' })
      await expect(db.send(again)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
      expect(tables.items('log')).toHaveLength(1)
    }
  })

  it('requires the part indexes when a query names an index', async () => {
    const { db, tables } = await setUp([queries])
    await expect(db.send(query({ IndexName: 'by_size' }))).rejects.toMatchObject({
      details: { part: 'indexes', use: 'Query with IndexName', table: 'log' },
    })
    expect(tables.requests).toEqual([])
  })

  it('rejects with any parts what the full client rejects', async () => {
    const { db } = await setUp([appends])
    const statement = new ExecuteStatementCommand({ Statement: 'SELECT * FROM log' })
    await expect(db.send(statement)).rejects.toMatchObject({ code: 'command.unsupported' })
  })

  it('passes requests for tables that are not in its options', async () => {
    const { db, tables } = await setUp([queries])
    await db.send(put({ TableName: 'other' }))
    expect(tables.items('other')).toHaveLength(1)
  })

  it('rejects the methods of missing parts', async () => {
    const { db } = await setUp([appends], { ...KEYS, suffix: 'random', shards: dynamicShards() })
    await expect(db.explain(put())).rejects.toMatchObject({ details: { part: 'explain' } })
    expect(() => db.shards('log', 'k')).toThrow(
      expect.objectContaining({ details: { part: 'rebalancing', use: 'db.shards()', table: 'log' } }),
    )
    for (const [part, parts] of [
      ['rebalancing', [appends, core.migrating]],
      ['migrating', [appends, core.rebalancing]],
    ] as const) {
      const { db: without } = await setUp([...parts], { ...KEYS, suffix: 'random', shards: dynamicShards() })
      const migration = without.migrate('log', { initial: 2 })
      await expect(migration).rejects.toMatchObject({ details: { part, use: 'db.migrate()' } })
    }
    const { db: fixed } = await setUp([appends, core.rebalancing])
    expect(() => fixed.shards('log', 'k')).toThrow(expect.objectContaining({ code: 'shards.fixed' }))
  })
})

describe('the options of a client of parts', () => {
  const DYNAMIC = { ...KEYS, suffix: calculated(), shards: dynamicShards() }
  const by_size = { partitionKey: 'size', shards: fixedShards(2) }

  it.each([
    ['indexes', { ...LOG, indexes: { by_size } }],
    ['indexes', { ...KEYS, indexes: { by_size } }],
    ['indexes', { ...LOG, readReplicas: ['copy'] }],
    ['rebalancing', DYNAMIC],
  ])('are rejected when they need the part %s', async (part, log) => {
    await expect(setUp([items, batches], log)).rejects.toMatchObject({
      code: 'part.missing',
      details: { part },
    })
    await expect(setUp(ALL, log)).resolves.toBeDefined()
  })

  it('are rejected when they contain a cache that nothing uses', async () => {
    const more = { secondLevelCache: { cache: new MemoryCache() } }
    await expect(setUp([items], LOG, more)).rejects.toMatchObject({ details: { part: 'secondLevelCache' } })
    await expect(setUp(ALL, LOG, more)).resolves.toBeDefined()
  })

  it('allow a process without writes to read calculated keys whose count changes', async () => {
    await expect(setUp([queries, core.scans], DYNAMIC)).resolves.toBeDefined()
  })

  it('accept a calculated suffix as a value, which brings its part with it', async () => {
    const text = { ...KEYS, suffix: 'calculated', shards: fixedShards(2) }
    await expect(setUp(ALL, text)).rejects.toThrow(
      'import calculated from isotherm/core, and write suffix: calculated()',
    )
    const odd = { ...KEYS, suffix: 'rnd', shards: fixedShards(2) }
    await expect(setUp(ALL, odd as never)).rejects.toThrow(/must be 'random', calculated\(/)
  })

  it.each([undefined, [], 'queries', ['queries']])('reject %j as parts', async (parts) => {
    await expect(setUp(parts as never)).rejects.toMatchObject({ details: { option: 'options.parts' } })
  })

  it('of the full client do not include parts', async () => {
    const { isotherm: dropIn } = await import('../index.js')
    const client = await sdkClient(new FakeTables())
    const options = { parts: [appends], tables: {} }
    expect(() => dropIn(client, options)).toThrow(expect.objectContaining({ code: 'options.unknown' }))
  })
})

describe('the full client', () => {
  it('contains all existing parts', () => {
    const { commands, options, methods } = mergedParts(ALL)
    const { indexes, openRebalancer, secondLevelCache } = options
    const { explain, shards } = methods
    expect([indexes, openRebalancer, secondLevelCache, explain, shards]).not.toContain(undefined)
    expect(EVERYTHING).toMatchObject({ options, methods })
    expect(EVERYTHING.commands).toEqual(commands)
  })
})
