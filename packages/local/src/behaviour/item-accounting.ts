import { expect } from 'vitest'
import { ALL, holding, KEY, left, MISSING, TOTAL, taken, unitsOf } from './accounts.js'
import type { Basis, Behaviour, BehaviourGroup } from './behaviour.js'
import { BehaviourBench, item, provisioned, put } from './behaviour-bench.js'
import { READS_WRITES, SCYLLA, TIME_TO_LIVE, TRANSACTIONS } from './sources.js'

/** A fact of this form: if this item exists, this request costs this many units. */
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
const read = (Key: object) => ({ Get: { TableName: 'events', Key } })
const batchGet = (...Keys: object[]) => ({ RequestItems: { events: { Keys, ...strong } } })
const batchPut = (...items: object[]) => ({
  RequestItems: { events: items.map((Item) => ({ PutRequest: { Item } })) },
})

export const ITEM_ACCOUNTING: BehaviourGroup = {
  subject: 'A request',
  behaviours: [
    costs(
      'writes up to 1,024 bytes for one unit, and one more byte costs another unit',
      measured,
      10,
      ['PutItem', { Item: item('a', 'a', 1024) }, 1],
      ['PutItem', { Item: item('a', 'a', 1025) }, 2],
    ),
    costs('reads up to 4,096 bytes for one unit', measured, 4096, ['GetItem', { Key: KEY, ...strong }, 1]),
    costs('that reads one more byte costs another unit', measured, 4097, [
      'GetItem',
      { Key: KEY, ...strong },
      2,
    ]),
    costs('that reads with eventual consistency costs half', documented, 4097, ['GetItem', { Key: KEY }, 1]),
    costs(
      'that puts is charged for the larger of the old and the new item',
      measured,
      2100,
      ['PutItem', { Item: item('a', 'a', 10) }, 3],
      ['PutItem', { Item: item('a', 'a', 5000) }, 5],
    ),
    costs(
      'that updates is charged for the whole item, however little changes',
      documented,
      3000,
      ['UpdateItem', { Key: KEY, ...set('n', '1') }, 3],
      ['UpdateItem', { Key: KEY, UpdateExpression: 'REMOVE filler' }, 3],
      ['UpdateItem', { Key: MISSING, ...set('n', '1') }, 1],
    ),
    costs('that deletes is charged for the existing item', documented, 3000, ['DeleteItem', { Key: KEY }, 3]),
    costs('that deletes a missing item is charged one unit', measured, 3000, [
      'DeleteItem',
      { Key: MISSING },
      1,
    ]),
    costs(
      'that reads a missing item is charged the minimum',
      measured,
      3000,
      ['GetItem', { Key: MISSING, ...strong }, 1],
      ['GetItem', { Key: MISSING }, 0.5],
    ),
    costs('does not become cheaper with a projection', documented, 9000, [
      'GetItem',
      { Key: KEY, ...strong, ProjectionExpression: 'pk' },
      3,
    ]),
    {
      fact: 'whose condition fails is charged for the larger of both items, and does not report it',
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
      fact: 'that updates with a failed condition is charged for the item it would have made, if that is larger',
      basis: 'documented',
      source: READS_WRITES,
      async show() {
        const bench = holding(3000)
        const update = {
          Key: KEY,
          UpdateExpression: 'SET more = :more',
          ConditionExpression: 'attribute_not_exists(pk)',
          ExpressionAttributeValues: { ':more': { S: 'x'.repeat(1500) } },
        }
        const before = taken(bench)
        expect(bench.failureOf('UpdateItem', update)?.name).toBe('ConditionalCheckFailedException')
        expect(taken(bench) - before).toBe(5)
        await bench.laterFailureOf('TransactWriteItems', {
          TransactItems: [{ Update: { TableName: 'events', ...update } }],
        })
        expect(taken(bench) - before).toBe(5 + 10)
        // An item that cannot be computed is charged as the existing one.
        const misfit = {
          UpdateExpression: 'SET more = filler + :more',
          ExpressionAttributeValues: { ':more': { N: '1' } },
        }
        bench.failureOf('UpdateItem', { ...update, ...misfit })
        expect(taken(bench) - before).toBe(5 + 10 + 3)
      },
    },
    {
      fact: 'whose condition fails on a missing item is charged one unit',
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
      fact: 'that is throttled is not charged and changes nothing',
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
      'for several items rounds each separately',
      measured,
      5000,
      ['BatchGetItem', batchGet(KEY, MISSING), 3],
      ['BatchWriteItem', batchPut(item('b', 'b', 1500), item('c', 'c', 100)), 3],
    ),
    costs(
      'that queries adds up all items it reads, before any filter, and rounds once',
      documented,
      5000,
      ['Query', { ...ALL, ...strong }, 2],
      ['Query', { ...ALL, ...strong, FilterExpression: 'attribute_exists(nothing)' }, 2],
      ['Query', { ...ALL, ...strong, Select: 'COUNT' }, 2],
      ['Query', { ...ALL }, 1],
      ['Scan', { ...strong }, 2],
    ),
    {
      fact: 'that queries 20 items of 300 bytes is charged 2 units, not 20',
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
      'that queries or scans nothing is charged the minimum, once for each partition it reads',
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
      fact: 'in a transaction is also charged when it is cancelled',
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
      fact: 'that repeats a transaction with the same token is charged for reads',
      basis: 'documented',
      source: TRANSACTIONS,
      async show() {
        const bench = holding(10)
        const input = { TransactItems: [transactPut(1500)], ClientRequestToken: 'token', ...TOTAL }
        await bench.ask('TransactWriteItems', input)
        bench.clock.advance(1000)
        const [before, leftBefore] = [taken(bench), left(bench)]
        const { ConsumedCapacity } = await bench.ask('TransactWriteItems', input)
        expect(ConsumedCapacity).toEqual([{ TableName: 'events', CapacityUnits: 2, ReadCapacityUnits: 2 }])
        expect(taken(bench) - before).toBe(2)
        expect(leftBefore - left(bench)).toBe(2)
      },
    },
    {
      fact: 'of the service itself is free: expired items are removed without charge',
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
