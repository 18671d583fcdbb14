import { describe, expect, it } from 'vitest'
import { AdvisorError } from '../errors/advisor-error.js'
import { AWS_PRICES } from '../prices/aws-prices.js'
import { monthlyPrices } from '../prices/monthly-price.js'
import { parsePriceList } from '../prices/price-list.js'
import { DEFAULT_PLAN_INPUT } from './default-plan-input.js'
import type { PlanInput } from './plan-input.js'
import { planTable } from './plan-table.js'

function planOf(more: Partial<PlanInput>) {
  return planTable({ ...DEFAULT_PLAN_INPUT, ...more })
}

const hot = { keys: [{ key: '/sale', writesPerSecond: 2_600, readsPerSecond: 5 }], otherWritesPerSecond: 300 }

describe('a plan for a hot key', () => {
  const plan = planOf(hot)

  it('shards it, with the odds asked for, on partitions that carry the whole table', () => {
    expect(plan).toMatchObject({ verdict: 'shard', reason: 'hot-keys' })
    const { chosen } = plan
    expect(chosen?.odds).toBeGreaterThanOrEqual(0.99)
    expect((chosen?.partitions ?? 0) * 700).toBeGreaterThanOrEqual(2_900)
    expect(plan.keys[0]?.shards).toBe(chosen?.shards[0])
    expect(chosen?.shards[0]).toBeGreaterThanOrEqual(4)
  })

  it('offers more partitions with fewer shards', () => {
    const counts = plan.options.map(({ shards }) => shards[0] ?? 0)
    expect(counts.length).toBeGreaterThan(2)
    expect([...counts].sort((a, b) => b - a)).toEqual(counts)
  })

  it('has the price of reading beside it', () => {
    expect(plan.chosen?.pageReadUnits).toBeGreaterThan(plan.item.pageReadUnits)
    const { unsharded, sharded } = plan.prices
    expect(sharded?.onDemand).toBeGreaterThan(unsharded.onDemand)
  })

  it('keeps its table as it is where the partitions are already enough', () => {
    const { chosen, steps } = planOf({ ...hot, partitions: 40 })
    expect(chosen?.partitions).toBe(40)
    expect(steps.join()).not.toContain('warm throughput')
  })

  it('counts larger items by their units', () => {
    expect(planOf({ keys: [{ writesPerSecond: 400, readsPerSecond: 0 }], itemBytes: 3_000 })).toMatchObject({
      verdict: 'shard',
      item: { writeUnits: 3 },
      peak: { writeUnits: 1_200 },
    })
  })

  it('has options that the library takes', () => {
    const { chosen, code = '' } = planOf({ keys: [{ writesPerSecond: 13_500, readsPerSecond: 0 }] })
    expect(chosen?.shards[0]).toBeGreaterThan(500)
    const [, max] = /dynamicShards\(\{ max: (\d+) \}\)/.exec(code) ?? []
    expect(Number(max)).toBe(1_000)
    // Without one, it refuses any suffix.
    expect(code).toContain("sortKey: 'sk',")
  })

  it('adopts the items that the table has already', () => {
    expect(plan.code).not.toContain('adopt')
    expect(planOf({ ...hot, storedGb: 0.5 }).code).toContain('adopt: true, // the table has items already')
  })

  it('moves a table whose partition key is a number, which takes no suffix, to another first', () => {
    const { steps, code } = planOf({ ...hot, partitionKey: 'campaign', partitionKeyType: 'N', storedGb: 1 })
    expect(steps[0]).toBe(
      'Move to a table whose partition key is text (S): campaign is a number (N), which takes no suffix, and the type of a key cannot be changed.',
    )
    expect(code).not.toContain('adopt')
    expect(planOf({ ...hot, partitionKeyType: 'S' })).toMatchObject({ steps: plan.steps, code: plan.code })
  })

  it('tries the quota itself before it says that no count of partitions is enough', () => {
    const { reason, chosen } = planOf({ keys: [{ writesPerSecond: 14_400, readsPerSecond: 0 }] })
    expect(reason).toBe('hot-keys')
    expect(chosen?.partitions).toBe(40)
  })

  it('names the shards of the hottest key first, in whatever order the keys come', () => {
    const keys = [
      { writesPerSecond: 900, readsPerSecond: 0 },
      { writesPerSecond: 3_000, readsPerSecond: 0 },
    ]
    const { chosen, steps } = planOf({ keys })
    expect(steps.join()).toContain(
      `Shard with ${chosen?.shards[1]} shards for the hottest key (the next keys: ${chosen?.shards[0]})`,
    )
  })

  it('is the same for the same seed', () => {
    const several = {
      keys: [1_500, 1_200, 900].map((writesPerSecond) => ({ writesPerSecond, readsPerSecond: 0 })),
    }
    expect(planOf(several)).toEqual(planOf(several))
    expect(planOf(several).chosen?.method).toBe('simulated')
  })
})

describe('do not shard', () => {
  const key = (writesPerSecond: number, readsPerSecond = 0) => ({
    keys: [{ writesPerSecond, readsPerSecond }],
  })

  it.each([
    ['a key that fits into its partition', key(600), 'fits'],
    ['a table that is too small as a whole', { ...key(100), provisionedWriteUnits: 50 }, 'table-too-small'],
    ['hot reads', key(10, 5_000), 'cache-reads'],
    ['one hot item', { ...key(2_000), order: 'single-item' }, 'single-item'],
    ['a table with three keys', { ...key(2_000), distinctKeys: 3 }, 'better-key'],
    [
      'a key that DynamoDB splits in time',
      { ...key(1_300), order: 'spread', rampMinutes: 60 },
      'split-for-heat',
    ],
    ['a peak beyond the quota', key(60_000), 'beyond-quota'],
  ] as const)('%s, and say why', (_, input, reason) => {
    const plan = planOf(input)
    expect(plan).toMatchObject({ verdict: 'do-not-shard', reason })
    expect(plan.because.length).toBeGreaterThan(40)
    expect(plan.steps.length).toBeGreaterThan(0)
    expect(plan.prices.sharded).toBeUndefined()
  })

  it.each([
    ['rises too fast to be split', { order: 'spread', rampMinutes: 5 }],
    ['is kept together by a local index', { order: 'spread', rampMinutes: 60, hasLocalIndex: true }],
    ['is written at its end', { order: 'rising', rampMinutes: 60 }],
  ] as const)('but shard a key that %s', (_, input) => {
    expect(planOf({ ...key(1_300), ...input }).verdict).toBe('shard')
  })

  it('but warm a table for the units that it lacks, and never for its size', () => {
    const spread = { otherReadsPerSecond: 6_000, pageItems: 1, consistency: 'strong' } as const
    expect(planOf({ ...spread, partitions: 1 }).steps[0]).toContain(
      'set warm throughput to 0 write and 6,000 read units a second: the table needs 2 partitions and has 1',
    )
    expect(planOf({ otherWritesPerSecond: 100, storedGb: 500 }).steps.join()).not.toContain('warm throughput')
  })

  it('plans nothing without traffic', () => {
    expect(() => planOf({})).toThrow(AdvisorError)
  })
})

describe('prices', () => {
  const used = { meanWriteUnits: 100, meanReadUnits: 100, peakWriteUnits: 1_000, peakReadUnits: 1_000 }

  it('are those of the published list', () => {
    // 100 a second are 262.8 million a month: 0.625 and 0.125 US dollars each.
    expect(monthlyPrices(AWS_PRICES, 'us-east-1', used)).toMatchObject({
      onDemand: 197.1,
      provisionedForPeak: 569.4,
      provisionedAutoScaled: 81.42,
      storage: 0,
    })
  })

  it('refuse a region that the list does not have', () => {
    for (const region of ['mars-1', 'constructor']) {
      expect(() => monthlyPrices(AWS_PRICES, region, used)).toThrow(/have no region/)
    }
  })

  it('are read from a file', () => {
    const prices = parsePriceList(JSON.stringify({ ...AWS_PRICES, source: 'a contract' }))
    expect(monthlyPrices(prices, 'us-east-1', used)).toEqual(monthlyPrices(AWS_PRICES, 'us-east-1', used))
  })

  it.each([
    ['text', 'x', /not JSON/],
    ['no date', '{"source":"a","regions":{}}', /date must be a day/],
    ['no region', '{"source":"a","date":"2026-11-23","regions":{}}', /at least one region/],
    [
      'a price in words',
      '{"source":"a","date":"2026-11-23","regions":{"a":{"millionWrites":"1"}}}',
      /millionWrites of a/,
    ],
  ])('with %s are refused', (_, text, message) => {
    expect(() => parsePriceList(text)).toThrow(message)
  })
})
