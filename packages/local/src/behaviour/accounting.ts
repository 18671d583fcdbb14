import { expect } from 'vitest'
import type { Basis, Behaviour, BehaviourGroup } from './behaviour.js'
import { attributes, BehaviourBench, item, keys, provisioned, put, TABLE_ARN } from './behaviour-bench.js'
import {
  CONSUMED_CAPACITY,
  GLOBAL_INDEXES,
  LOCAL_INDEXES,
  READS_WRITES,
  SCYLLA,
  TIME_TO_LIVE,
  TRANSACTIONS,
} from './sources.js'

const KEY = { pk: { S: 'a' }, sk: { S: 'a' } }
const MISSING = { pk: { S: 'a' }, sk: { S: 'missing' } }
const TOTAL = { ReturnConsumedCapacity: 'TOTAL' }

/** A table on one partition, with one item of so many bytes. */
function holding(bytes: number, table: object = {}): BehaviourBench {
  const bench = new BehaviourBench({ ...provisioned(1000, 1), ...table }, { throttle: false })
  bench.ask('PutItem', { Item: item('a', 'a', bytes) })
  return bench
}

/** Units that a request reports, and that the partitions were really asked for. */
async function unitsOf(bench: BehaviourBench, operation: string, input: object): Promise<number> {
  const before = taken(bench)
  const { ConsumedCapacity } = await bench.ask(operation, { ...input, ...TOTAL })
  const [{ CapacityUnits }] = [ConsumedCapacity].flat()
  expect(taken(bench) - before).toBeCloseTo(CapacityUnits, 9)
  return CapacityUnits
}

function taken(bench: BehaviourBench): number {
  const indexes = ['by_kind'].flatMap((name) => bench.partitions(name))
  return [...bench.partitions(), ...indexes].reduce(
    (sum, { read, write }) => sum + read.consumedUnits + write.consumedUnits,
    0,
  )
}

/** A fact of the form: with this item there, this request costs so many units. */
function costs(
  fact: string,
  [basis, source]: readonly [Basis, string],
  bytes: number,
  ...requests: readonly (readonly [operation: string, input: object, units: number])[]
): Behaviour {
  return {
    fact,
    basis,
    source,
    async show() {
      for (const [operation, input, units] of requests) {
        expect([operation, await unitsOf(holding(bytes), operation, input)]).toEqual([operation, units])
      }
    },
  }
}

const documented = ['documented', READS_WRITES] as const
const measured = ['measured', SCYLLA] as const
const strong = { ConsistentRead: true }
const ALL = { KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: { ':a': { S: 'a' } } }
const read = (Key: object) => ({ Get: { TableName: 'events', Key } })
const batchGet = (...Keys: object[]) => ({ RequestItems: { events: { Keys, ...strong } } })
const batchPut = (...items: object[]) => ({
  RequestItems: { events: items.map((Item) => ({ PutRequest: { Item } })) },
})

export const ITEM_ACCOUNTING: BehaviourGroup = {
  subject: 'A request',
  behaviours: [
    costs(
      'writes up to 1,024 bytes for a unit, and begins another with the next byte',
      measured,
      10,
      ['PutItem', { Item: item('a', 'a', 1024) }, 1],
      ['PutItem', { Item: item('a', 'a', 1025) }, 2],
    ),
    costs('reads up to 4,096 bytes for a unit', measured, 4096, ['GetItem', { Key: KEY, ...strong }, 1]),
    costs('begins another unit with the next byte', measured, 4097, ['GetItem', { Key: KEY, ...strong }, 2]),
    costs('reads at half the price when it need not be consistent', documented, 4097, [
      'GetItem',
      { Key: KEY },
      1,
    ]),
    costs(
      'that puts pays for the larger of the old and the new item',
      measured,
      2100,
      ['PutItem', { Item: item('a', 'a', 10) }, 3],
      ['PutItem', { Item: item('a', 'a', 5000) }, 5],
    ),
    costs(
      'that updates pays for the whole item, however little changes',
      documented,
      3000,
      ['UpdateItem', { Key: KEY, ...set('n', '1') }, 3],
      ['UpdateItem', { Key: KEY, UpdateExpression: 'REMOVE filler' }, 3],
      ['UpdateItem', { Key: MISSING, ...set('n', '1') }, 1],
    ),
    costs('that deletes pays for what was there', documented, 3000, ['DeleteItem', { Key: KEY }, 3]),
    costs('that deletes nothing pays a unit', measured, 3000, ['DeleteItem', { Key: MISSING }, 1]),
    costs(
      'that reads nothing pays the least there is',
      measured,
      3000,
      ['GetItem', { Key: MISSING, ...strong }, 1],
      ['GetItem', { Key: MISSING }, 0.5],
    ),
    costs('is not cheaper by a projection', documented, 9000, [
      'GetItem',
      { Key: KEY, ...strong, ProjectionExpression: 'pk' },
      3,
    ]),
    {
      fact: 'whose condition fails pays for the larger of both items, and does not say so',
      basis: 'documented',
      source: READS_WRITES,
      show() {
        const bench = holding(3000)
        const before = taken(bench)
        const failure = bench.failureOf('PutItem', {
          Item: item('a', 'a', 4500),
          ConditionExpression: 'attribute_not_exists(pk)',
          ...TOTAL,
        })
        expect(failure?.name).toBe('ConditionalCheckFailedException')
        expect(failure?.members).toEqual({})
        expect(taken(bench) - before).toBe(5)
      },
    },
    {
      fact: 'whose condition fails on nothing pays a unit',
      basis: 'inferred',
      source: READS_WRITES,
      show() {
        const bench = holding(3000)
        const before = taken(bench)
        bench.failureOf('DeleteItem', { Key: MISSING, ConditionExpression: 'attribute_exists(pk)' })
        expect(taken(bench) - before).toBe(1)
      },
    },
    {
      fact: 'that is throttled pays nothing and changes nothing',
      basis: 'inferred',
      source: READS_WRITES,
      show() {
        const bench = new BehaviourBench(provisioned(100, 1))
        bench.ask(...put('a', 'a', 1))
        const failure = bench.failureOf(...put('a', 'a', 1, { attempt: { N: '2' } }))
        expect(failure?.name).toBe('ProvisionedThroughputExceededException')
        expect(taken(bench)).toBe(1)
        expect(bench.ask('GetItem', { Key: KEY }).Item.attempt).toBeUndefined()
      },
    },
    costs(
      'for several items rounds each by itself',
      measured,
      5000,
      ['BatchGetItem', batchGet(KEY, MISSING), 3],
      ['BatchWriteItem', batchPut(item('b', 'b', 1500), item('c', 'c', 100)), 3],
    ),
    costs(
      'that queries adds up what it looks at, before any filter, and rounds once',
      documented,
      5000,
      ['Query', { ...ALL, ...strong }, 2],
      ['Query', { ...ALL, ...strong, FilterExpression: 'attribute_exists(nothing)' }, 2],
      ['Query', { ...ALL, ...strong, Select: 'COUNT' }, 2],
      ['Query', { ...ALL }, 1],
      ['Scan', { ...strong }, 2],
    ),
    {
      fact: 'that queries 20 items of 300 bytes pays 2 units, not 20',
      basis: 'documented',
      source: READS_WRITES,
      async show() {
        const bench = holding(300)
        for (let index = 1; index < 20; index++) {
          bench.ask('PutItem', { Item: item('a', `item-${index}`, 300) })
        }
        expect(await unitsOf(bench, 'Query', { ...ALL, ...strong })).toBe(2)
      },
    },
    costs(
      'that queries or scans nothing pays the least there is, once for each partition it looks at',
      documented,
      3000,
      ['Query', { ...ALL, ExpressionAttributeValues: { ':a': { S: 'nobody' } } }, 0.5],
      ['Query', { ...ALL, ExpressionAttributeValues: { ':a': { S: 'nobody' } }, ...strong }, 1],
    ),
    {
      fact: 'for a page of 1 MB ends with the item that crosses it: 128.5 units',
      basis: 'measured',
      source: 'https://dev.to/aws-heroes/dynamodb-scan-and-why-128-5-rcu-2k25',
      show() {
        const bench = new BehaviourBench(provisioned(100, 100), { throttle: false })
        for (let index = 0; index < 300; index++) {
          bench.ask('PutItem', { Item: item('a', `item-${index}`, 4000) })
        }
        const { Count, ConsumedCapacity } = bench.ask('Scan', TOTAL)
        expect(Count).toBe(Math.ceil(1024 ** 2 / 4000))
        expect(ConsumedCapacity.CapacityUnits).toBe(128.5)
      },
    },
    {
      ...costs(
        'in a transaction costs twice as much',
        ['documented', TRANSACTIONS],
        5000,
        ['TransactGetItems', { TransactItems: [read(KEY)] }, 4],
        ['TransactGetItems', { TransactItems: [read(MISSING)] }, 2],
        ['TransactWriteItems', { TransactItems: [transactPut(1500)] }, 4],
        ['TransactWriteItems', { TransactItems: [check('attribute_exists(pk)')] }, 10],
      ),
    },
    {
      fact: 'in a transaction pays when it is cancelled, too',
      basis: 'documented',
      source: TRANSACTIONS,
      async show() {
        const bench = holding(3000)
        const before = taken(bench)
        const failure = await bench.laterFailureOf('TransactWriteItems', {
          TransactItems: [transactPut(1500), check('attribute_not_exists(pk)')],
        })
        expect(failure?.name).toBe('TransactionCanceledException')
        expect(taken(bench) - before).toBe(4 + 6)
      },
    },
    {
      fact: 'that repeats a transaction by its token pays for reads',
      basis: 'documented',
      source: TRANSACTIONS,
      async show() {
        const bench = holding(10)
        const input = { TransactItems: [transactPut(1500)], ClientRequestToken: 'token', ...TOTAL }
        await bench.ask('TransactWriteItems', input)
        bench.clock.advance(1000)
        const { ConsumedCapacity } = await bench.ask('TransactWriteItems', input)
        expect(ConsumedCapacity).toEqual([{ TableName: 'events', CapacityUnits: 2, ReadCapacityUnits: 2 }])
      },
    },
    {
      fact: 'that nobody made costs nothing: items expire for free',
      basis: 'documented',
      source: TIME_TO_LIVE,
      show() {
        const bench = holding(3000)
        bench.ask('UpdateTimeToLive', {
          TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
        })
        bench.ask('UpdateItem', { Key: KEY, ...set('expires', String(bench.clock.now() / 1000 + 10)) })
        bench.clock.advance(60_000)
        const before = taken(bench)
        expect(bench.ask('Scan', {}).Count).toBe(0)
        expect(taken(bench) - before).toBe(0.5)
      },
    },
  ],
}

const withIndex = (Projection: object) => ({
  AttributeDefinitions: attributes('pk', 'sk', 'kind'),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by_kind',
      KeySchema: keys('kind'),
      Projection,
      ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: 100 },
    },
  ],
})

/** A fact about a write of an item in a table with an index by `kind` that holds `seen`. */
function indexCosts(
  fact: string,
  basis: Basis,
  before: Readonly<Record<string, object>> | undefined,
  after: Readonly<Record<string, object>> | undefined,
  index: number,
): Behaviour {
  return {
    fact,
    basis,
    source: GLOBAL_INDEXES,
    show() {
      const projection = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['seen', 'text'] }
      const bench = new BehaviourBench(
        { ...provisioned(100, 100), ...withIndex(projection) },
        { throttle: false },
      )
      if (before !== undefined) bench.ask('PutItem', { Item: { ...KEY, ...before } })
      const earlier = taken(bench)
      const { ConsumedCapacity } =
        after === undefined
          ? bench.ask('DeleteItem', { Key: KEY, ReturnConsumedCapacity: 'INDEXES' })
          : bench.ask('PutItem', { Item: { ...KEY, ...after }, ReturnConsumedCapacity: 'INDEXES' })
      const { CapacityUnits: total, Table, GlobalSecondaryIndexes } = ConsumedCapacity
      expect(GlobalSecondaryIndexes?.by_kind.CapacityUnits ?? 0).toBe(index)
      expect(total).toBe(Table.CapacityUnits + index)
      expect(taken(bench) - earlier).toBe(total)
    },
  }
}

const A = { S: 'A' }
const B = { S: 'B' }

export const INDEX_ACCOUNTING: BehaviourGroup = {
  subject: 'An index',
  behaviours: [
    indexCosts('takes a write for a new entry', 'documented', undefined, { kind: A }, 1),
    indexCosts('takes a write when its key is first defined', 'documented', {}, { kind: A }, 1),
    indexCosts('takes two when its key changes', 'documented', { kind: A }, { kind: B }, 2),
    indexCosts('takes one when its key is removed', 'documented', { kind: A }, {}, 1),
    indexCosts('takes one when the item is deleted', 'documented', { kind: A }, undefined, 1),
    indexCosts('takes none for an item that is not in it', 'documented', { other: A }, { other: B }, 0),
    indexCosts(
      'takes one when a projected attribute changes',
      'documented',
      { kind: A, seen: A },
      { kind: A, seen: B },
      1,
    ),
    indexCosts(
      'takes none when only others change',
      'documented',
      { kind: A, other: A },
      { kind: A, other: B },
      0,
    ),
    indexCosts(
      'rounds by the size of the entry',
      'documented',
      undefined,
      { kind: A, text: { S: 'x'.repeat(1500) }, other: { S: 'x'.repeat(5000) } },
      2,
    ),
    indexCosts(
      'takes the larger of the old and the new entry',
      'inferred',
      { kind: A, text: { S: 'x'.repeat(2500) } },
      { kind: A },
      3,
    ),
    {
      fact: 'takes nothing when a condition fails',
      basis: 'inferred',
      source: GLOBAL_INDEXES,
      show() {
        const bench = new BehaviourBench({ ...provisioned(9, 9), ...withIndex({ ProjectionType: 'ALL' }) })
        bench.failureOf('PutItem', {
          Item: { ...KEY, kind: A },
          ConditionExpression: 'attribute_exists(pk)',
        })
        expect(bench.partitions('by_kind').map(({ write }) => write.consumedUnits)).toEqual([0])
      },
    },
    {
      fact: 'is read for the sizes of its entries, rounded once, eventually consistent only',
      basis: 'documented',
      source: GLOBAL_INDEXES,
      async show() {
        const table = { ...provisioned(100, 100), ...withIndex({ ProjectionType: 'KEYS_ONLY' }) }
        const bench = new BehaviourBench(table, { throttle: false })
        for (let index = 0; index < 10; index++) {
          bench.ask('PutItem', { Item: item('a', `item-${index}`, 8000, { kind: A }) })
        }
        const query = {
          IndexName: 'by_kind',
          KeyConditionExpression: 'kind = :a',
          ExpressionAttributeValues: { ':a': A },
        }
        expect(await unitsOf(bench, 'Query', query)).toBe(0.5)
        expect(bench.failureOf('Query', { ...query, ConsistentRead: true })?.message).toBe(
          'Consistent reads are not supported on global secondary indexes',
        )
      },
    },
    {
      fact: 'that is local is paid for by its table, and pays for whole items it has to fetch',
      basis: 'documented',
      source: LOCAL_INDEXES,
      show() {
        const bench = new BehaviourBench(
          {
            ...provisioned(100, 100),
            AttributeDefinitions: attributes('pk', 'sk', 'other'),
            LocalSecondaryIndexes: [
              {
                IndexName: 'by_other',
                KeySchema: keys('pk', 'other'),
                Projection: { ProjectionType: 'KEYS_ONLY' },
              },
            ],
          },
          { throttle: false },
        )
        for (let index = 0; index < 4; index++) {
          bench.ask('PutItem', { Item: item('a', `item-${index}`, 300, { other: { S: `${index}` } }) })
        }
        // The guide's own example: 4 KB for the entries, and 4 KB for each of four items.
        const query = { ...ALL, IndexName: 'by_other', ConsistentRead: true, ...TOTAL }
        const whole = bench.ask('Query', { ...query, Select: 'ALL_ATTRIBUTES' }).ConsumedCapacity
        expect(whole.CapacityUnits).toBe(5)
        expect(bench.ask('Query', query).ConsumedCapacity.CapacityUnits).toBe(1)
        const write = bench.ask('PutItem', {
          Item: { ...KEY, other: A },
          ReturnConsumedCapacity: 'INDEXES',
        }).ConsumedCapacity
        expect(write).toEqual({
          TableName: 'events',
          CapacityUnits: 2,
          Table: { CapacityUnits: 1 },
          LocalSecondaryIndexes: { by_other: { CapacityUnits: 1 } },
        })
        expect(bench.partitions().reduce((sum, each) => sum + each.write.consumedUnits, 0)).toBe(4 * 2 + 2)
      },
    },
    {
      fact: 'that is local lets its table tell the size of an item collection, and another table does not',
      basis: 'documented',
      source: LOCAL_INDEXES,
      show() {
        const metrics = { ReturnItemCollectionMetrics: 'SIZE' }
        const bench = new BehaviourBench({
          AttributeDefinitions: attributes('pk', 'sk', 'other'),
          LocalSecondaryIndexes: [
            { IndexName: 'by_other', KeySchema: keys('pk', 'other'), Projection: { ProjectionType: 'ALL' } },
          ],
        })
        expect(bench.ask('PutItem', { Item: KEY, ...metrics }).ItemCollectionMetrics).toEqual({
          ItemCollectionKey: { pk: { S: 'a' } },
          SizeEstimateRangeGB: [0, 1],
        })
        expect(new BehaviourBench().ask('PutItem', { Item: KEY, ...metrics })).toEqual({})
      },
    },
    {
      fact: 'is told apart from its table on request, and is not mentioned where nothing was written to it',
      basis: 'documented',
      source: CONSUMED_CAPACITY,
      show() {
        const bench = new BehaviourBench({ ...provisioned(9, 9), ...withIndex({ ProjectionType: 'ALL' }) })
        const ask = (more: object, ReturnConsumedCapacity: string) =>
          bench.ask('PutItem', { Item: { ...KEY, ...more }, ReturnConsumedCapacity }).ConsumedCapacity
        const Table = { CapacityUnits: 1 }
        expect(ask({ kind: A }, 'INDEXES')).toEqual({
          TableName: 'events',
          CapacityUnits: 2,
          Table,
          GlobalSecondaryIndexes: { by_kind: { CapacityUnits: 1 } },
        })
        expect(ask({ kind: A }, 'INDEXES')).toEqual({ TableName: 'events', CapacityUnits: 1, Table })
        expect(ask({ kind: A }, 'TOTAL')).toEqual({ TableName: 'events', CapacityUnits: 1 })
        expect(ask({ kind: A }, 'NONE')).toBeUndefined()
      },
    },
    {
      fact: 'of a table asked for by its ARN is reported under the ARN',
      basis: 'documented',
      source: CONSUMED_CAPACITY,
      show() {
        const { ConsumedCapacity } = holding(10).ask('GetItem', { TableName: TABLE_ARN, Key: KEY, ...TOTAL })
        expect(ConsumedCapacity).toEqual({ TableName: TABLE_ARN, CapacityUnits: 0.5 })
      },
    },
  ],
}

function set(attribute: string, number: string): object {
  return {
    UpdateExpression: 'SET #a = :n',
    ExpressionAttributeNames: { '#a': attribute },
    ExpressionAttributeValues: { ':n': { N: number } },
  }
}

function transactPut(bytes: number): object {
  return { Put: { TableName: 'events', Item: item('b', 'b', bytes) } }
}

function check(ConditionExpression: string): object {
  return { ConditionCheck: { TableName: 'events', Key: KEY, ConditionExpression } }
}
