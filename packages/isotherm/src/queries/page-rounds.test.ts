import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import type { Item } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { isotherm } from '../client/isotherm.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

const keys = { partitionKey: 'pk', sortKey: 'at' }

interface Stored {
  /** The sort keys in each shard. */
  readonly shards: readonly (readonly number[])[]
  readonly bytes?: number
  /** The number of shards that items leave for the others. Without it, nothing moves. */
  readonly movingFrom?: number
}

function setUp({ shards, bytes = 0, movingFrom }: Stored) {
  const tables = new FakeTables().create('log', keys).create('log_shard_map', { partitionKey: 'pk' })
  const put = (TableName: string, item: Item) => tables.execute('PutItem', { TableName, Item: item })
  if (movingFrom !== undefined) put('log_shard_map', changeOf(movingFrom, shards.length))
  for (const [index, sorts] of shards.entries()) {
    for (const at of sorts) {
      const isOdd = { BOOL: at % 2 === 1 }
      const text = { S: 'x'.repeat(bytes) }
      put('log', { pk: { S: `k_${index + 1}` }, at: { N: String(at) }, isOdd, text })
    }
  }
  const sharding =
    movingFrom === undefined
      ? ({ suffix: 'random', shards: fixedShards(shards.length) } as const)
      : ({ suffix: 'calculated', shards: dynamicShards() } as const)
  const db = isotherm(bareClient(tables), {
    tables: { log: { ...keys, ...sharding, checkItems: false } },
    clock: new VirtualClock(),
    random: new SeededRandom(3),
  })
  return async (more: Partial<QueryCommandInput>) => {
    tables.requests.length = 0
    const {
      Items = [],
      ScannedCount,
      LastEvaluatedKey,
    } = await db.send(
      new QueryCommand({
        TableName: 'log',
        KeyConditionExpression: 'pk = :pk',
        ...more,
        ExpressionAttributeValues: { ':pk': { S: 'k' }, ...more.ExpressionAttributeValues },
      }),
    )
    const requests = tables.requests
      .filter(({ operation }) => operation === 'Query')
      .map(({ input: { Limit, ExpressionAttributeValues: values } }) => ({
        shard: values[':isotherm_partition'].S,
        limit: Number(Limit),
        upTo: values[':isotherm_low']?.N,
      }))
    return { sorts: Items.map(({ at }) => Number(at?.N)), ScannedCount, end: LastEvaluatedKey, requests }
  }
}

function changeOf(from: number, to: number): Item {
  return {
    pk: { S: 'k' },
    number_of_shards: { N: String(to) },
    last_updated: { N: '1' },
    shard_history: { SS: [`0:${from}`, `1:${to}`] },
    phase: { S: 'moved' },
    from_shards: { N: String(from) },
    to_shards: { N: String(to) },
  }
}

const series = (length: number, sortAt: (index: number) => number) =>
  Array.from({ length }, (_, index) => sortAt(index))
const shardsOf = (requests: readonly { readonly shard: string }[]) => requests.map(({ shard }) => shard)

const ODD = { FilterExpression: 'isOdd = :true', ExpressionAttributeValues: { ':true': { BOOL: true } } }

describe('a page', () => {
  it('whose limit is the number of items has no cursor, because all shards have ended', async () => {
    const query = setUp({
      shards: [
        [1, 3],
        [2, 4],
      ],
    })
    const { sorts, end, requests } = await query({ Limit: 4 })
    expect(sorts).toEqual([1, 2, 3, 4])
    expect(end).toBeUndefined()
    expect(shardsOf(requests)).toEqual(['k_1', 'k_2'])
  })

  it('of large items in one shard asks that shard for as many as are missing, and not for one after the other', async () => {
    const query = setUp({ shards: [series(150, (index) => index), [500], [600]], bytes: 4_000 })
    await query({ Limit: 2 })
    const { sorts, requests } = await query({ Limit: 100 })
    expect(sorts).toEqual(series(100, (index) => index))
    expect(requests.length).toBeLessThan(10)
  })

  it('of large items in all shards reads hardly more than it returns', async () => {
    const query = setUp({
      shards: series(8, (shard) => shard).map((shard) => series(100, (index) => 8 * index + shard)),
      bytes: 4_000,
    })
    await query({ Limit: 2 })
    const { sorts, requests } = await query({ Limit: 100 })
    expect(sorts).toEqual(series(100, (index) => index))
    expect(requests.reduce((sum, { limit }) => sum + limit, 0)).toBeLessThan(110)
    expect(requests.length).toBeLessThan(40)
  })
})

describe('a page with a filter', () => {
  it('asks each shard once if the first answers fill it', async () => {
    const query = setUp({
      shards: series(4, (shard) => shard).map((shard) => series(40, (index) => 4 * index + shard)),
      bytes: 800,
    })
    const { sorts, requests } = await query({ FilterExpression: 'attribute_exists(isOdd)', Limit: 4 })
    expect(sorts).toEqual([0, 1, 2, 3])
    expect(shardsOf(requests)).toEqual(['k_1', 'k_2', 'k_3', 'k_4'])
  })

  it('then asks the shards that are behind, and the one that is furthest behind for the most items', async () => {
    const query = setUp({
      shards: [
        series(40, (index) => 300 + index),
        series(40, (index) => 100 + 2 * index),
        series(40, (index) => 200 + 3 * index),
        series(40, (index) => index),
      ],
      bytes: 800,
    })
    const { sorts, requests } = await query({ ...ODD, Limit: 12 })
    expect(sorts).toEqual(series(12, (index) => 2 * index + 1))
    const [first, second, third, fourth, furthest, next] = requests
    expect(shardsOf(requests)).toEqual(['k_1', 'k_2', 'k_3', 'k_4', 'k_4', 'k_2'])
    expect(new Set([first, second, third, fourth].map((request) => request?.limit)).size).toBe(1)
    // That is how far the shard in the middle was read.
    expect([furthest?.upTo, next?.upTo]).toEqual(['212', '212'])
    expect(furthest?.limit).toBeGreaterThan(1.5 * (next?.limit ?? 0))
  })

  it('reads the shards that items leave up to the same sort key, and then each other shard once, up to there', async () => {
    const query = setUp({
      shards: [
        series(40, (index) => 8 * index),
        series(40, (index) => 4 * index + 2),
        series(40, (index) => 4 * index + 1),
        series(40, (index) => 200 + index),
      ],
      bytes: 800,
      movingFrom: 2,
    })
    const { sorts, end, requests } = await query({ ...ODD, Limit: 18 })
    expect(requests.map(({ shard, upTo }) => [shard, upTo])).toEqual([
      ['k_1', undefined],
      ['k_2', undefined],
      ['k_2', '48'],
      ['k_3', '48'],
      ['k_4', '48'],
    ])
    expect(sorts).toEqual(series(12, (index) => 4 * index + 1))
    expect(end).toEqual({ pk: { S: 'k_1' }, at: { N: '48' } })
  })
})
