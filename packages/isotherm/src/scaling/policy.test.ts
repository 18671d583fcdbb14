import { describe, expect, it } from 'vitest'
import { doubling, incrementBy, proportional } from './policy.js'

const evidence = {
  shards: 4,
  offeredUnits: 0,
  acceptedUnits: 0,
  throttledUnits: 0,
  collided: false,
  windowSeconds: 5,
}

describe('the proportional policy', () => {
  it('goes in one step to the count that carries the offer at the utilization that is aimed at', () => {
    const seen = { ...evidence, offeredUnits: 16_000, acceptedUnits: 8_000, throttledUnits: 1_000 }
    expect(proportional({ targetUtilization: 1 })(seen)).toBe(8)
    expect(proportional({ targetUtilization: 0.5 })(seen)).toBe(16)
  })

  it('adds at least one shard, and doubles where most writes were refused, or the last change did not help', () => {
    const policy = proportional({ targetUtilization: 1 })
    expect(policy({ ...evidence, offeredUnits: 100, acceptedUnits: 100, throttledUnits: 10 })).toBe(5)
    expect(policy({ ...evidence, offeredUnits: 100, acceptedUnits: 100, throttledUnits: 60 })).toBe(8)
    expect(policy({ ...evidence, offeredUnits: 100, acceptedUnits: 100, collided: true })).toBe(8)
  })

  it('keeps its step bounded when nothing was accepted', () => {
    expect(proportional({ targetUtilization: 1 })({ ...evidence, offeredUnits: 1e9 })).toBe(32)
  })
})

describe('the simpler policies', () => {
  it('add so many, or as many again', () => {
    expect(incrementBy(3)(evidence)).toBe(7)
    expect(doubling()(evidence)).toBe(8)
  })
})
