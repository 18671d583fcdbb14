import { describe, expect, it } from 'vitest'
import { mayBeHot } from './may-be-hot.js'

const one = { shards: 1, partitionUnitsPerSecond: 1_000 }

describe('a throttled key may be hot', () => {
  it('if it is the most throttled key of this process', () => {
    expect(mayBeHot({ throttledUnits: 50, hottestThrottledUnits: 50 }, 300, one)).toBe(true)
  })

  it('unless another key is throttled far more', () => {
    expect(mayBeHot({ throttledUnits: 50, hottestThrottledUnits: 5_000 }, 300, one)).toBe(false)
  })

  it('by the rate of the fleet alone, however hot others are', () => {
    const own = { throttledUnits: 50, hottestThrottledUnits: 5_000 }
    expect(mayBeHot(own, 1_200, one)).toBe(true)
    expect(mayBeHot(own, 1_200, { ...one, shards: 4 })).toBe(false)
  })

  it('only with a rate that can make a partition hot', () => {
    const own = { throttledUnits: 50, hottestThrottledUnits: 50 }
    expect(mayBeHot(own, 249, one)).toBe(false)
    expect(mayBeHot(own, 250, one)).toBe(true)
    expect(mayBeHot(own, 249, { ...one, partitionUnitsPerSecond: 100 })).toBe(true)
  })

  it('at exactly these limits', () => {
    const among = (throttledUnits: number, fleet: number) =>
      mayBeHot({ throttledUnits, hottestThrottledUnits: 100 }, fleet, one)
    expect([among(25, 300), among(24, 300)]).toEqual([true, false])
    expect([among(0, 500), among(0, 499)]).toEqual([true, false])
  })
})
