import { describe, expect, it } from 'vitest'
import { DEFAULT_CAPACITY } from '../partition/capacity-parameters.js'
import { OnDemandGrowth } from './on-demand-growth.js'

const MINUTE = 60_000

/** Consumes this many units per second for some minutes. @returns the time when it ended. */
function use(growth: OnDemandGrowth, unitsPerSecond: number, from: number, minutes: number): number {
  for (let second = 0; second < minutes * 60; second++) {
    growth.consumed('write', unitsPerSecond, from + second * 1000)
  }
  return from + minutes * MINUTE
}

describe('the growth of an on-demand table', () => {
  it('counts a new peak as the previous one after half an hour, and then serves twice that', () => {
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 0)
    const at = use(growth, 4000, 0, 29)
    expect(growth.servable('write')).toBe(0)
    use(growth, 4000, at, 3)
    expect(growth.servable('write')).toBe(8000)
  })

  it('remembers a peak long after it ended', () => {
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 0)
    use(growth, 3000, 0, 2)
    use(growth, 1, 600 * MINUTE, 2)
    use(growth, 1, 6000 * MINUTE, 2)
    expect(growth.servable('write')).toBe(6000)
  })

  it('uses the average of a minute as a peak, not its busiest second', () => {
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 0)
    growth.consumed('write', 60_000, 10)
    use(growth, 1, 40 * MINUTE, 2)
    use(growth, 1, 80 * MINUTE, 2)
    expect(growth.servable('write')).toBe(2000)
  })

  it('begins with no peak', () => {
    const none = { previous: 0, coming: [] }
    expect(new OnDemandGrowth(DEFAULT_CAPACITY, 0).kept).toEqual({ read: none, write: none })
  })

  it('measures reads and writes separately', () => {
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 0)
    use(growth, 3000, 0, 40)
    expect(growth.servable('read')).toBe(0)
  })

  it('stops at the limit that the account sets for one table', () => {
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 0)
    use(growth, 35_000, 0, 40)
    expect(growth.servable('write')).toBe(40_000)
  })
})

describe('the growth that outlives a process', () => {
  const kept = {
    read: { previous: 0, coming: [] },
    write: { previous: 3_000, coming: [{ reachedAt: MINUTE, unitsPerSecond: 5_000 }] },
  }

  it('continues where it was', () => {
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 10 * MINUTE, kept)
    expect(growth.kept).toEqual(kept)
    expect(growth.servable('write')).toBe(6_000)
    use(growth, 1, 30 * MINUTE, 2)
    expect(growth.servable('write')).toBe(10_000)
    expect(growth.kept.write).toEqual({ previous: 5_000, coming: [] })
  })

  it('counts half an hour after the start at the latest, also if the earlier clock was days ahead', () => {
    const ahead = { ...kept.write, coming: [{ reachedAt: 60 * 60 * MINUTE, unitsPerSecond: 5_000 }] }
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 10 * MINUTE, { ...kept, write: ahead })
    use(growth, 1, 38 * MINUTE, 1)
    expect(growth.servable('write')).toBe(6_000)
    use(growth, 1, 41 * MINUTE, 2)
    expect(growth.servable('write')).toBe(10_000)
  })

  it('does not count a peak that is no higher than one that is coming', () => {
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 10 * MINUTE, kept)
    use(growth, 5_000, 10 * MINUTE, 2)
    expect(growth.kept.write.coming).toHaveLength(1)
    use(growth, 5_001, 12 * MINUTE, 2)
    expect(growth.kept.write.coming).toHaveLength(2)
  })

  it('has news for the store with a peak that needs more partitions, and then with one that is a tenth higher', () => {
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 0)
    const news = (unitsPerSecond: number, at: number) => {
      use(growth, unitsPerSecond, at, 1)
      growth.consumed('write', 0, at + MINUTE)
      return [growth.takeNews(), growth.takeNews()]
    }
    expect(news(1_999, 0)).toEqual([false, false])
    expect(news(2_000, MINUTE)).toEqual([true, false])
    expect(news(2_199, 2 * MINUTE)).toEqual([false, false])
    expect(news(2_200, 3 * MINUTE)).toEqual([true, false])
  })

  it('has news of reads only from what the first partitions do not serve, too', () => {
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 0)
    growth.consumed('read', 5_999 * 60, 0)
    growth.consumed('read', 6_000 * 60, MINUTE)
    expect(growth.takeNews()).toBe(false)
    growth.consumed('read', 0, 2 * MINUTE)
    expect(growth.takeNews()).toBe(true)
  })

  it('says when a minute is over, and which minute that was, after a pause too', () => {
    const growth = new OnDemandGrowth(DEFAULT_CAPACITY, 0)
    expect(growth.consumed('write', 6_000, MINUTE - 1)).toBe(false)
    expect(growth.consumed('write', 1, MINUTE)).toBe(true)
    expect(growth.kept.write.coming).toEqual([{ reachedAt: MINUTE, unitsPerSecond: 100 }])
    expect(growth.consumed('write', 1, 5 * MINUTE + 1)).toBe(true)
    expect(growth.consumed('write', 1, 6 * MINUTE - 1)).toBe(false)
    expect(growth.consumed('write', 1, 6 * MINUTE)).toBe(true)
  })
})
