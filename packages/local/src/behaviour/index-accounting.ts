import type { TableShape } from '@isotherm/fixtures'
import { expect } from 'vitest'
import { ALL, holding, KEY, TOTAL, taken, unitsOf } from './accounts.js'
import type { Basis, Behaviour, BehaviourGroup } from './behaviour.js'
import { BehaviourBench, item, provisioned, TABLE_ARN } from './behaviour-bench.js'
import { CONSUMED_CAPACITY, GLOBAL_INDEXES, LOCAL_INDEXES, TRANSACTIONS } from './sources.js'

const withIndex = (projected: 'ALL' | 'KEYS_ONLY' | readonly string[]): TableShape => ({
  global: { by_kind: { key: ['kind'], projected, units: 100 } },
})

/** A fact about a write of an item in a table with an index by `kind` that projects `seen` and `text`. */
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
      const bench = new BehaviourBench(
        { ...provisioned(100, 100), ...withIndex(['seen', 'text']) },
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
    indexCosts('charges one write for a new entry', 'documented', undefined, { kind: A }, 1),
    indexCosts('charges one write when its key is first set', 'documented', {}, { kind: A }, 1),
    indexCosts('charges two when its key changes', 'documented', { kind: A }, { kind: B }, 2),
    indexCosts('charges one when its key is removed', 'documented', { kind: A }, {}, 1),
    indexCosts('charges one when the item is deleted', 'documented', { kind: A }, undefined, 1),
    indexCosts('charges none for an item without an entry', 'documented', { other: A }, { other: B }, 0),
    indexCosts(
      'charges one when a projected attribute changes',
      'documented',
      { kind: A, seen: A },
      { kind: A, seen: B },
      1,
    ),
    indexCosts(
      'charges none when only other attributes change',
      'documented',
      { kind: A, other: A },
      { kind: A, other: B },
      0,
    ),
    indexCosts(
      'charges by the size of the entry, rounded up',
      'documented',
      undefined,
      { kind: A, text: { S: 'x'.repeat(1500) }, other: { S: 'x'.repeat(5000) } },
      2,
    ),
    indexCosts(
      'charges for the larger of the old and the new entry',
      'inferred',
      { kind: A, text: { S: 'x'.repeat(2500) } },
      { kind: A },
      3,
    ),
    {
      fact: 'charges nothing when a condition fails',
      basis: 'inferred',
      source: GLOBAL_INDEXES,
      show() {
        const bench = new BehaviourBench({ ...provisioned(9, 9), ...withIndex('ALL') })
        bench.failureOf('PutItem', {
          Item: { ...KEY, kind: A },
          ConditionExpression: 'attribute_exists(pk)',
        })
        expect(bench.partitions('by_kind').map(({ write }) => write.consumedUnits)).toEqual([0])
      },
    },
    {
      fact: 'charges twice as much in a transaction, as its table does',
      basis: 'inferred',
      source: TRANSACTIONS,
      async show() {
        const table = { ...provisioned(100, 100), ...withIndex('ALL') }
        const bench = new BehaviourBench(table, { throttle: false })
        const Item = { ...KEY, kind: A }
        const put = { TransactItems: [{ Put: { TableName: 'events', Item } }] }
        expect(await unitsOf(bench, 'TransactWriteItems', put)).toBe(4)
        expect(bench.partitions('by_kind').map(({ write }) => write.consumedUnits)).toEqual([2])
      },
    },
    {
      fact: 'charges a read by the total size of its entries, rounded once, with eventual consistency only',
      basis: 'documented',
      source: GLOBAL_INDEXES,
      async show() {
        const table = { ...provisioned(100, 100), ...withIndex('KEYS_ONLY') }
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
      fact: 'that is local is charged to its table, and so are whole items that it fetches',
      basis: 'documented',
      source: LOCAL_INDEXES,
      show() {
        const bench = new BehaviourBench(
          { units: 100, local: { by_other: { sort: 'other', projected: 'KEYS_ONLY' } } },
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
      fact: 'that is local makes its table report the size of an item collection, which other tables do not',
      basis: 'documented',
      source: LOCAL_INDEXES,
      show() {
        const metrics = { ReturnItemCollectionMetrics: 'SIZE' }
        const bench = new BehaviourBench({ local: { by_other: 'other' } })
        expect(bench.ask('PutItem', { Item: KEY, ...metrics }).ItemCollectionMetrics).toEqual({
          ItemCollectionKey: { pk: { S: 'a' } },
          SizeEstimateRangeGB: [0, 1],
        })
        expect(new BehaviourBench().ask('PutItem', { Item: KEY, ...metrics })).toEqual({})
      },
    },
    {
      fact: 'is reported separately from its table on request, unless nothing was written to it',
      basis: 'documented',
      source: CONSUMED_CAPACITY,
      show() {
        const bench = new BehaviourBench({ ...provisioned(9, 9), ...withIndex('ALL') })
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
      fact: 'of a table that the request names by ARN is reported under the ARN',
      basis: 'documented',
      source: CONSUMED_CAPACITY,
      show() {
        const { ConsumedCapacity } = holding(10).ask('GetItem', { TableName: TABLE_ARN, Key: KEY, ...TOTAL })
        expect(ConsumedCapacity).toEqual({ TableName: TABLE_ARN, CapacityUnits: 0.5 })
      },
    },
  ],
}
