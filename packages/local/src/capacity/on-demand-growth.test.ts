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
