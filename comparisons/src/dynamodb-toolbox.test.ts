import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import {
  $add,
  $append,
  $remove,
  BatchDeleteRequest,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteItemCommand,
  DeletePartitionCommand,
  DeleteTransaction,
  Entity,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
  GetItemCommand,
  GetTransaction,
  item,
  list,
  map,
  number,
  PutItemCommand,
  PutTransaction,
  prefix,
  QueryCommand,
  ScanCommand,
  set,
  string,
  Table,
  UpdateItemCommand,
  UpdateTransaction,
} from 'dynamodb-toolbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, serve } from './served.fixture.js'

let served: Served

beforeAll(async () => {
  served = await serve()
  await served.client.send(
    createTable('toolbox', ['pk', 'sk'], {
      global: { byTrainer: ['trainer', 'level:N'] },
      local: { byLevel: 'level' },
    }),
  )
})

afterAll(() => served.stop())

/** Creatures and their trainers in one table. */
function zoo() {
  const table = new Table({
    name: 'toolbox',
    documentClient: DynamoDBDocumentClient.from(served.client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    partitionKey: { name: 'pk', type: 'string' },
    sortKey: { name: 'sk', type: 'string' },
    indexes: {
      byTrainer: {
        type: 'global',
        partitionKey: { name: 'trainer', type: 'string' },
        sortKey: { name: 'level', type: 'number' },
      },
      byLevel: { type: 'local', sortKey: { name: 'level', type: 'number' } },
    },
  })
  const creature = new Entity({
    name: 'Creature',
    table,
    schema: item({
      species: string().key().savedAs('pk').transform(prefix('CREATURE')),
      id: string().key().savedAs('sk'),
      level: number().default(1),
      trainer: string().optional(),
      moves: list(string()).default([]),
      types: set(string()).optional(),
      stats: map({ attack: number(), defense: number() }).optional(),
      version: number().default(1),
    }),
  })
  const trainer = new Entity({
    name: 'Trainer',
    table,
    schema: item({ name: string().key() }).and(() => ({ badges: number().default(0) })),
    timestamps: false,
    computeKey: ({ name }: { name: string }) => ({ pk: `TRAINER#${name}`, sk: 'profile' }),
  })
  return { table, creature, trainer }
}

describe('DynamoDB-Toolbox', () => {
  it('puts and gets what its schema says, with its own timestamps and entity names', async () => {
    const { creature } = zoo()
    const begun = new Date().toISOString()
    await creature
      .build(PutItemCommand)
      .item({ species: 'fox', id: '1', types: new Set(['fire']), stats: { attack: 3, defense: 2 } })
      .options({ condition: { attr: 'species', exists: false } })
      .send()
    const { Item } = await creature.build(GetItemCommand).key({ species: 'fox', id: '1' }).send()
    expect(Item).toMatchObject({
      species: 'fox',
      level: 1,
      moves: [],
      types: new Set(['fire']),
      stats: { attack: 3, defense: 2 },
    })
    // The toolbox reads the clock once for each of the two.
    for (const time of [Item?.created, Item?.modified]) {
      expect([begun, time, new Date().toISOString()].toSorted()[1]).toBe(time)
    }
    await expect(
      creature
        .build(PutItemCommand)
        .item({ species: 'fox', id: '1' })
        .options({ condition: { attr: 'species', exists: false } })
        .send(),
    ).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
    const part = await creature
      .build(GetItemCommand)
      .key({ species: 'fox', id: '1' })
      .options({ attributes: ['stats.attack', 'level'], consistent: true })
      .send()
    expect(part.Item).toEqual({ level: 1, stats: { attack: 3 } })
  })

  it('updates with add, subtract, append and remove, and checks a version', async () => {
    const { creature } = zoo()
    await creature.build(PutItemCommand).item({ species: 'owl', id: '1', trainer: 'iris', level: 5 }).send()
    const { Attributes } = await creature
      .build(UpdateItemCommand)
      .item({ species: 'owl', id: '1', level: $add(3), moves: $append(['dive']), version: $add(1) })
      .options({ condition: { attr: 'version', eq: 1 }, returnValues: 'ALL_NEW' })
      .send()
    expect(Attributes).toMatchObject({ level: 8, moves: ['dive'], version: 2 })
    const stale = creature
      .build(UpdateItemCommand)
      .item({ species: 'owl', id: '1', level: $add(-1), version: $add(1) })
      .options({ condition: { attr: 'version', eq: 1 }, returnValuesOnConditionFalse: 'ALL_OLD' })
      .send()
    await expect(stale).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { level: { N: '8' }, version: { N: '2' } },
    })
    await creature
      .build(UpdateItemCommand)
      .item({ species: 'owl', id: '1', trainer: $remove(), moves: { 0: 'glide' } })
      .send()
    const { Item } = await creature.build(GetItemCommand).key({ species: 'owl', id: '1' }).send()
    expect(Item).not.toHaveProperty('trainer')
    expect(Item?.moves).toEqual(['glide'])
  })

  it('queries with beginsWith and between, on the table and both kinds of index', async () => {
    const { table, creature } = zoo()
    const many = Array.from({ length: 25 }, (_, index) =>
      creature.build(BatchPutRequest).item({
        species: 'bee',
        id: `hive${index % 2}#${String(index).padStart(2, '0')}`,
        level: index,
        // Sparse: every fifth has a trainer.
        ...(index % 5 === 0 ? { trainer: 'beatrix' } : {}),
      }),
    )
    await executeBatchWrite(table.build(BatchWriteCommand).requests(...many))
    const hive = await table
      .build(QueryCommand)
      .entities(creature)
      .query({ partition: 'CREATURE#bee', range: { beginsWith: 'hive1#' } })
      .options({ reverse: true, limit: 3 })
      .send()
    expect(hive.Items?.map(({ id }) => id)).toEqual(['hive1#23', 'hive1#21', 'hive1#19'])
    const levels = await table
      .build(QueryCommand)
      .entities(creature)
      .query({ index: 'byLevel', partition: 'CREATURE#bee', range: { between: [10, 13] } })
      .options({ consistent: true })
      .send()
    expect(levels.Items?.map(({ level }) => level)).toEqual([10, 11, 12, 13])
    const trained = await table
      .build(QueryCommand)
      .entities(creature)
      .query({ index: 'byTrainer', partition: 'beatrix', range: { gte: 10 } })
      .options({ filters: { Creature: { attr: 'id', beginsWith: 'hive0' } } })
      .send()
    expect(trained.Items?.map(({ level }) => level)).toEqual([10, 20])
  })

  it('pages to the end of a query, a page of seven at a time', async () => {
    const { table, creature } = zoo()
    const seen: string[] = []
    let pages = 0
    const command = table
      .build(QueryCommand)
      .entities(creature)
      .query({ partition: 'CREATURE#bee' })
      .options({ limit: 7 })
    for await (const { Items = [] } of command.paginate()) {
      seen.push(...Items.map(({ id }) => id))
      pages += 1
    }
    expect(pages).toBe(4)
    expect(seen).toHaveLength(25)
    expect(seen).toEqual([...new Set(seen)].sort())
    const all = await command.options({ limit: 7, maxPages: Number.POSITIVE_INFINITY }).send()
    expect(all.Items?.map(({ id }) => id)).toEqual(seen)
  })

  it('gets and deletes in batches', async () => {
    const { table, creature } = zoo()
    const key = (id: string) => ({ species: 'ant', id })
    await executeBatchWrite(
      table
        .build(BatchWriteCommand)
        .requests(...['a', 'b', 'c'].map((id) => creature.build(BatchPutRequest).item(key(id)))),
    )
    await executeBatchWrite(
      table.build(BatchWriteCommand).requests(creature.build(BatchDeleteRequest).key(key('b'))),
    )
    const { Responses } = await executeBatchGet(
      table
        .build(BatchGetCommand)
        .requests(...['a', 'b', 'c'].map((id) => creature.build(BatchGetRequest).key(key(id)))),
    )
    expect(Responses?.[0]?.map((found) => found?.id)).toEqual(['a', undefined, 'c'])
  })

  it('writes a transaction whole or not at all', async () => {
    const { creature, trainer } = zoo()
    await creature.build(PutItemCommand).item({ species: 'yak', id: 'old' }).send()
    await executeTransactWrite(
      creature
        .build(PutTransaction)
        .item({ species: 'yak', id: 'new', trainer: 'otis' })
        .options({ condition: { attr: 'id', exists: false } }),
      trainer.build(PutTransaction).item({ name: 'otis' }),
      creature.build(ConditionCheck).key({ species: 'yak', id: 'old' }).condition({ attr: 'level', lt: 5 }),
    )
    const award = () =>
      executeTransactWrite(
        { clientRequestToken: 'award' },
        trainer.build(UpdateTransaction).item({ name: 'otis', badges: $add(1) }),
      )
    await award()
    // The same token again: the transaction is not repeated.
    await award()
    const read = await executeTransactGet(
      trainer.build(GetTransaction).key({ name: 'otis' }),
      creature.build(GetTransaction).key({ species: 'yak', id: 'new' }),
    )
    expect(read.Responses?.[0]?.Item).toMatchObject({ name: 'otis', badges: 1 })
    expect(read.Responses?.[1]?.Item).toMatchObject({ trainer: 'otis' })
    await expect(
      executeTransactWrite(
        creature
          .build(PutTransaction)
          .item({ species: 'yak', id: 'new' })
          .options({ condition: { attr: 'id', exists: false } }),
        creature.build(DeleteTransaction).key({ species: 'yak', id: 'old' }),
      ),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }],
    })
    const { Item } = await creature.build(GetItemCommand).key({ species: 'yak', id: 'old' }).send()
    expect(Item).toMatchObject({ id: 'old' })
  })

  it('scans by entity, in segments, and deletes a whole partition', async () => {
    const { table, creature, trainer } = zoo()
    const segments = await Promise.all(
      [0, 1, 2].map((segment) =>
        table
          .build(ScanCommand)
          .entities(creature)
          .options({ segment, totalSegments: 3, maxPages: Number.POSITIVE_INFINITY })
          .send(),
      ),
    )
    const bees = () => segments.flatMap(({ Items = [] }) => Items).filter(({ species }) => species === 'bee')
    expect(bees()).toHaveLength(25)
    expect(new Set(bees().map(({ id }) => id)).size).toBe(25)
    const trainers = await table.build(ScanCommand).entities(trainer).send()
    expect(trainers.Items?.map(({ name }) => name)).toEqual(['otis'])
    await table.build(DeletePartitionCommand).entities(creature).query({ partition: 'CREATURE#bee' }).send()
    const left = await table
      .build(QueryCommand)
      .query({ partition: 'CREATURE#bee' })
      .options({ select: 'COUNT' })
      .send()
    expect(left.Count).toBe(0)
  })

  it('deletes with a condition and returns what was there', async () => {
    const { creature } = zoo()
    await creature.build(PutItemCommand).item({ species: 'cat', id: '1', level: 9 }).send()
    const remove = (level: number) =>
      creature
        .build(DeleteItemCommand)
        .key({ species: 'cat', id: '1' })
        .options({ condition: { attr: 'level', lt: level }, returnValues: 'ALL_OLD' })
        .send()
    await expect(remove(9)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
    expect((await remove(10)).Attributes).toMatchObject({ level: 9 })
  })
})
