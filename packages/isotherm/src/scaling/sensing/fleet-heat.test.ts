import { describe, expect, it } from 'vitest'
import { type HeatTotals, NO_HEAT } from '../../protocol/index.js'
import { type FleetHeat, growthsInVain, heatBetween, isOfOneItem, isThrottled } from './fleet-heat.js'

function totals(offeredUnits: number, throttledUnits: readonly number[], samples: number): HeatTotals {
  return {
    offeredUnits,
    acceptedUnits: offeredUnits / 2,
    throttledUnits: [...throttledUnits, ...NO_HEAT.throttledUnits].slice(0, 8),
    samples,
  }
}

function heat(offeredPerSecond: number, throttledShare: number): FleetHeat {
  const [offeredUnits, throttledUnits] = [2 * offeredPerSecond, 2 * offeredPerSecond * throttledShare]
  return {
    seconds: 2,
    offeredUnits,
    acceptedUnits: offeredUnits - throttledUnits,
    throttledUnits,
    samples: 20,
    hottest: { hash: 0, share: 0.2 },
  }
}

describe('the heat of a fleet', () => {
  it('is what was added between two reads', () => {
    const before = totals(1_000, [100, 100], 10)
    expect(heatBetween(before, totals(5_000, [300, 100, 800], 30), 2, 10_000)).toEqual({
      seconds: 2,
      offeredUnits: 4_000,
      acceptedUnits: 2_000,
      throttledUnits: 1_000,
      samples: 20,
      hottest: { hash: 2, share: 0.8 },
    })
  })

  it('has offered and accepted no more than its shards take, and that and what was throttled', () => {
    const before = totals(1_000, [100, 100], 10)
    // Samples of processes that were not throttled for a long time: 40,000 units offered, and 20,000 accepted.
    const after = totals(41_000, [300, 100, 800], 30)
    expect(heatBetween(before, after, 2, 3_000)).toMatchObject({ offeredUnits: 7_000, acceptedUnits: 7_000 })
    expect(heatBetween(before, after, 2, 12_000)).toMatchObject({
      offeredUnits: 25_000,
      acceptedUnits: 20_000,
    })
    expect(heatBetween(before, after, 2, 30_000)).toMatchObject({
      offeredUnits: 40_000,
      acceptedUnits: 20_000,
    })
  })

  it('is enough to act on from one throttled write of a hundred', () => {
    expect(isThrottled(heat(1_000, 0.009))).toBe(false)
    expect(isThrottled(heat(1_000, 0.01))).toBe(true)
  })

  it('is that of one item if nearly all samples say so', () => {
    expect(isOfOneItem({ ...heat(1_000, 0.5), hottest: { hash: 3, share: 0.8 } })).toBe(true)
    expect(isOfOneItem({ ...heat(1_000, 0.5), hottest: { hash: 3, share: 0.79 } })).toBe(false)
    expect(isOfOneItem({ ...heat(1_000, 0.5), hottest: { hash: 3, share: 1 }, samples: 11 })).toBe(false)
    expect(isOfOneItem({ ...heat(1_000, 0.5), hottest: { hash: 3, share: 1 }, samples: 12 })).toBe(true)
  })
})

describe('a growth', () => {
  const growth = { from: 4, to: 8, acceptedPerSecond: 4_000, throttledPerSecond: 6_000, inVain: 1 }

  it('was in vain if it brought less than two fifths of what it could', () => {
    expect(growthsInVain(growth, 8, heat(10_000, 0.6))).toBe(2)
    expect(growthsInVain(growth, 8, { ...heat(10_000, 0.6), acceptedUnits: 2 * 5_599 })).toBe(2)
    expect(growthsInVain(growth, 8, { ...heat(10_000, 0.6), acceptedUnits: 2 * 5_600 })).toBe(0)
  })

  it('was not in vain if a quarter less is throttled', () => {
    expect(growthsInVain({ ...growth, throttledPerSecond: 6_000 }, 8, heat(10_000, 0.45))).toBe(0)
  })

  it('was not in vain if far more is accepted than processes knew of that had only just been throttled', () => {
    const unknown = { ...growth, acceptedPerSecond: 200, throttledPerSecond: 3_500 }
    expect(growthsInVain(unknown, 8, heat(10_000, 0.4))).toBe(0)
    expect(growthsInVain(unknown, 8, { ...heat(10_000, 0.4), acceptedUnits: 2 * 1_199 })).toBe(2)
    expect(growthsInVain(unknown, 8, { ...heat(10_000, 0.4), acceptedUnits: 2 * 1_201 })).toBe(0)
  })

  it('is neither where nearly everything was accepted before, and less is throttled by chance', () => {
    const satisfied = { ...growth, acceptedPerSecond: 9_800, throttledPerSecond: 500 }
    const fewer = { ...heat(10_000, 0.02), acceptedUnits: 2 * 9_900 }
    expect(growthsInVain(satisfied, 8, fewer)).toBe(1)
    expect(growthsInVain(satisfied, 8, { ...fewer, throttledUnits: 2 * 450 })).toBe(2)
  })

  it('is judged where a tenth of what is offered could be gained, and not below', () => {
    const calm = heat(10_000, 0.02)
    const before = (acceptedPerSecond: number) => ({ ...growth, acceptedPerSecond, throttledPerSecond: 500 })
    expect(growthsInVain(before(9_000), 8, calm)).toBe(0)
    expect(growthsInVain(before(9_001), 8, calm)).toBe(1)
  })

  it('is judged only if it was the last change', () => {
    expect(growthsInVain(growth, 6, heat(10_000, 0.6))).toBe(0)
    expect(growthsInVain(undefined, 8, heat(10_000, 0.6))).toBe(0)
  })
})
