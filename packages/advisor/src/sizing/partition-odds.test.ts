import { describe, expect, it } from 'vitest'
import { expectedPartitions, oddsOfAtMost } from './partition-odds.js'
import { smallestShardCounts } from './shard-count.js'
import { simulatedOdds } from './simulated-odds.js'

/** All placements of shards on partitions, counted one by one. */
function counted(most: number, shards: number, partitions: number): number {
  const all = partitions ** shards
  let good = 0
  for (let placement = 0; placement < all; placement++) {
    const loads = new Array<number>(partitions).fill(0)
    for (let shard = 0, rest = placement; shard < shards; shard++, rest = Math.floor(rest / partitions)) {
      const at = rest % partitions
      loads[at] = (loads[at] ?? 0) + 1
    }
    if (Math.max(...loads) <= most) good++
  }
  return good / all
}

describe('the odds that shards meet on a partition', () => {
  it('are those of counting every placement', () => {
    for (const partitions of [1, 2, 3, 4, 5]) {
      for (const shards of [1, 2, 3, 4, 5, 6]) {
        for (const most of [0, 1, 2, 3, 6]) {
          expect(oddsOfAtMost(most, shards, partitions)).toBeCloseTo(counted(most, shards, partitions), 10)
        }
      }
    }
  })

  it('say that two shards on a new on-demand table meet one time in four', () => {
    expect(1 - oddsOfAtMost(1, 2, 4)).toBeCloseTo(0.25)
  })

  it('stay within 0 and 1 for a thousand shards on two hundred partitions', () => {
    expect(oddsOfAtMost(5, 1_000, 200)).toBeGreaterThanOrEqual(0)
    expect(oddsOfAtMost(1_000, 1_000, 200)).toBe(1)
    expect(oddsOfAtMost(30, 1_000, 200)).toBeCloseTo(1, 5)
  })

  it('agree with a simulation for one key', () => {
    const place = { partitions: 8, baseUnits: 100, limitUnits: 700, seed: 7 }
    // 2,000 units over 10 shards are 200 each, so a partition has room for 3.
    expect(simulatedOdds([{ units: 2_000, shards: 10 }], place)).toBeCloseTo(oddsOfAtMost(3, 10, 8), 1)
  })

  it('tell how many partitions are used on average', () => {
    expect(expectedPartitions(2, 4)).toBeCloseTo(1.75)
    expect(expectedPartitions(16, 16)).toBeCloseTo(10.3, 1)
  })
})

describe('the smallest shard counts', () => {
  const demand = {
    hotUnits: [2_600],
    baseUnits: 0,
    limitUnits: 700,
    partitions: 16,
    confidence: 0.99,
    seed: 1,
  }

  it('carry the peak with the asked odds, and one shard less does not', () => {
    const found = smallestShardCounts(demand)
    const [shards = 0] = found?.shards ?? []
    expect(found?.odds).toBeGreaterThanOrEqual(0.99)
    for (let fewer = 1; fewer < shards; fewer++) {
      const most = Math.floor(700 / (2_600 / fewer))
      expect(oddsOfAtMost(most, fewer, 16)).toBeLessThan(0.99)
    }
  })

  it('are smaller on more partitions, and larger with more head-room', () => {
    const count = (more: object) =>
      smallestShardCounts({ ...demand, ...more })?.shards[0] ?? Number.POSITIVE_INFINITY
    expect(count({ partitions: 32 })).toBeLessThan(count({}))
    expect(count({ limitUnits: 500 })).toBeGreaterThan(count({}))
  })

  it('do not exist where the partitions cannot carry the peak together', () => {
    expect(smallestShardCounts({ ...demand, partitions: 3 })).toBeUndefined()
    expect(smallestShardCounts({ ...demand, baseUnits: 700 })).toBeUndefined()
  })

  it('exist for several hot keys, by a simulation that its seed repeats', () => {
    const several = { ...demand, hotUnits: [2_000, 1_200, 800], partitions: 24 }
    const found = smallestShardCounts(several)
    expect(found).toEqual(smallestShardCounts(several))
    expect(found?.method).toBe('simulated')
    expect(found?.odds).toBeGreaterThanOrEqual(0.99)
  })
})
