import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import type { MoveSender } from '../../attempts/move-sender.js'
import type { LogicalKey, SuffixableKey } from '../../keys/key.js'
import type { MovingTable } from '../../protocol/index.js'
import { type CountOptions, countItems } from './count-items.js'
import type { MoveCosts } from './move-costs.js'

const K = { S: 'k' } as LogicalKey

interface Page {
  readonly Count?: number
  readonly units?: number
  readonly items?: readonly object[]
  readonly isLast?: boolean
}

/** Counts the items of two shards, whose pages are these in order. */
async function counted(
  pages: readonly Page[],
  options: Partial<Omit<CountOptions, 'costs'>> & { readonly costs?: Partial<MoveCosts> } = {},
  roomUpTo = Number.POSITIVE_INFINITY,
) {
  const left = [...pages]
  const asked: QueryCommandInput[] = []
  const sender = {
    queryPage: async (input: QueryCommandInput) => {
      asked.push(input)
      const { Count, units, items, isLast = true } = left.shift() ?? {}
      return {
        $metadata: {},
        Count,
        Items: items,
        ...(units === undefined ? {} : { ConsumedCapacity: { CapacityUnits: units } }),
        ...(isLast ? {} : { LastEvaluatedKey: { pk: { S: 'last' } } }),
      }
    },
  } as unknown as MoveSender
  const suffix = {
    add: (_key: SuffixableKey, shard: number) => ({ S: `k_${shard}` }),
    hasRoom: (_key: SuffixableKey, shard: number) => shard <= roomUpTo,
  }
  const table = { options: { name: 'log', partitionKey: 'pk', sortKey: undefined }, suffix }
  const result = await countItems(table as unknown as MovingTable, K, {
    sender,
    shards: [3, 4],
    expiringBefore: 1_000,
    enoughReadUnits: Number.POSITIVE_INFINITY,
    ...options,
    costs: { unitsPerKilobyte: 3, timeToLive: undefined, ...options.costs },
  })
  return { result, asked }
}

describe('the items to move', () => {
  it('are those of every page of every shard', async () => {
    const { result, asked } = await counted([{ Count: 5, isLast: false }, { Count: 6 }, { Count: 7 }])
    expect(result).toMatchObject({ items: 18, isComplete: true })
    expect(
      asked.map((input) => [input.ExpressionAttributeValues?.[':key']?.S, input.ExclusiveStartKey]),
    ).toEqual([
      ['k_3', undefined],
      ['k_3', { pk: { S: 'last' } }],
      ['k_4', undefined],
    ])
  })

  it('are in no shard for which the key has no room', async () => {
    const { result, asked } = await counted([{ Count: 5 }, { Count: 6 }], {}, 3)
    expect(result).toMatchObject({ items: 5, isComplete: true })
    expect(asked).toHaveLength(1)
  })

  it('cost write units by the mean size of each page, and five read units for each of these', async () => {
    // A page of 8 read units has about 62 KB, which half a unit less makes of it: 10 items of 7 KB.
    expect((await counted([{ Count: 10, units: 8 }])).result).toMatchObject({
      writeUnits: 10 * 7 * 3,
      priceReadUnits: 10 * 7 * 3 * 5,
    })
    const small = await counted([
      { Count: 100, units: 1.5 },
      { Count: 10, units: 8 },
    ])
    expect(small.result.writeUnits).toBe(100 * 1 * 3 + 10 * 7 * 3)
  })

  it('count as small where the service reports no capacity, and cost nothing where there are none', async () => {
    expect((await counted([{ Count: 10 }])).result).toMatchObject({ writeUnits: 30, priceReadUnits: 150 })
    expect((await counted([{ units: 0.5 }, { Count: 0, units: 0.5 }])).result).toEqual({
      items: 0,
      expiringItems: 0,
      writeUnits: 0,
      priceReadUnits: 0,
      isComplete: true,
    })
  })

  it('are counted no further once they cost more than was to be spent', async () => {
    const pages = [{ Count: 10, isLast: false }, { Count: 10 }, { Count: 10 }]
    const enough = await counted(pages, { enoughReadUnits: 149 })
    expect(enough.result).toMatchObject({ items: 10, isComplete: false })
    expect(enough.asked).toHaveLength(1)
    const exact = await counted(pages, { enoughReadUnits: 150 })
    expect(exact.result).toMatchObject({ items: 20, isComplete: false })
    expect((await counted(pages, { enoughReadUnits: 450 })).result).toMatchObject({ isComplete: true })
  })

  it('are only counted, if the service deletes none by their time to live', async () => {
    const { asked } = await counted([{ Count: 1 }])
    expect(asked[0]).toEqual({
      TableName: 'log',
      KeyConditionExpression: '#key = :key',
      ExpressionAttributeNames: { '#key': 'pk' },
      ExpressionAttributeValues: { ':key': { S: 'k_3' } },
      ExclusiveStartKey: undefined,
      Select: 'COUNT',
    })
  })

  it('expire where the service deletes them before the move has paid', async () => {
    const until = (N: string) => ({ until: { N } })
    const items = [
      until('999'),
      until('1000'),
      until('1001'),
      until('0'),
      until('soon'),
      {},
      { until: { S: '5' } },
    ]
    const { result, asked } = await counted(
      [
        { Count: 7, items },
        { Count: 1, items: [until('1')] },
      ],
      {
        costs: { timeToLive: 'until' },
      },
    )
    expect(result).toMatchObject({ items: 8, expiringItems: 2 })
    expect(asked[0]).toMatchObject({
      ProjectionExpression: '#expiry',
      ExpressionAttributeNames: { '#key': 'pk', '#expiry': 'until' },
    })
    expect(asked[0]).not.toHaveProperty('Select')
    const none = await counted([{ Count: 0 }, { Count: 0 }], { costs: { timeToLive: 'until' } })
    expect(none.result).toMatchObject({ items: 0, expiringItems: 0 })
  })
})
